/* What Kanji's program prints while it plays: every move as its library's number with the FEN
 * behind it, the value of the program's move, and the count of nodes. The document's person moves
 * with the mouse; here moves are typed, "e1f1".
 *
 * With the listed techniques the search is the document's own code (lab_listing.c), so that its
 * counts come out. The sessions printed in the document are played with technique, utility and
 * maxdepth set as its chapters say. */
#include "classics/console.h"

#include "chess/san.h"
#include "classics/kanji/kanji.h"

#include <inttypes.h>

enum { PLAIN = 1, EN_PASSANT = 6, CASTLING = 7 };

/* The library's number of a move: from + 64 * to + 4096 * kind, and the sign bit of 16 for
 * captures. Squares from a1; kinds: 1 ordinary, 2 to 5 a promotion to knight ... queen, 6 en
 * passant, 7 castling (which is no capture). */
static int move_number(const Position *before, Move m)
{
    int kind = PLAIN, to = move_to(m), capture = pos_is_capture(before, m);
    if (move_kind(m) == MOVE_CASTLING) {
        kind = CASTLING;
        to = castling_king_to(before->side, castling_wing(m));
        capture = 0;
    } else if (move_kind(m) == MOVE_EN_PASSANT) {
        kind = EN_PASSANT;
    } else if (move_is_promotion(m)) {
        kind = PLAIN + 1 + (int)(move_promotion(m) - KNIGHT);
    }
    int number = move_from(m) + 64 * to + 4096 * kind;
    return capture ? number - 32768 : number;
}

static void make(Console *c, Move m, Text *out)
{
    text_addf(out, "making move %d\n", move_number(&c->position, m));
    console_make(c, m);
    console_write_fen(c, out);
    GameEnd end = console_settle(c);
    if (end == GAME_CHECKMATE)
        text_addf(out, "CHECKMATE! %s Wins!\n", c->position.side == WHITE ? "Black" : "White");
    else if (c->over)
        text_add_str(out, "DRAW!\n");
}

/* -- The program -- */

static bool is_stopped(void *user)
{
    return atomic_load(((Console *)user)->stop);
}

/* A mate is Java's largest number. */
static int64_t printed_value(Score value)
{
    if (score_is_mate(value))
        return value > 0 ? INT32_MAX : -INT32_MAX;
    return value;
}

static void step(Console *c, Text *out)
{
    KanjiConfig k = kanji_config(c->opponent);
    OpponentAnswer a;
    LabResult r = {.move = MOVE_NONE};
    LabSetup setup = {.switches = k.switches, .listing = lab_is_listed(k.switches)};
    setup.evaluate = k.utility;
    setup.depth = k.depth;
    setup.stop = is_stopped;
    setup.user = c;
    console_think(c, NULL, &a); /* also for the book */
    if (a.from_book)
        text_add_str(out, "We are doing a book position! \n");
    if (!a.from_book && setup.listing && lab_run(&c->position, &setup, &r, NULL) == STATUS_OK &&
        r.move != MOVE_NONE)
        a = (OpponentAnswer){.move = r.move, .score = r.value, .nodes = r.nodes};
    if (!a.from_book)
        text_addf(out, "Evaluation value of move: %" PRId64 "\nThe node count is: %" PRIu64 "\n",
                  printed_value(a.score), a.nodes);
    make(c, a.move, out);
}

/* -- Input -- */

static void feed(Console *c, Span line, Text *out)
{
    Move m = console_read_squares(c, line);
    char shown[40];
    if (m == MOVE_NONE)
        san_read(&c->position, line, &m, NULL);
    if (m != MOVE_NONE && m != MOVE_NULL && pos_is_legal(&c->position, m)) {
        make(c, m, out);
        return;
    }
    span_show(line, shown, sizeof shown);
    text_addf(out, "'%s' is not a legal move, such as e2e4\n", shown);
}

const ConsoleOps kanji_console = {
    .row = {.name = "kanji", .title = "Kanji", .ops = &kanji_ops}, .feed = feed, .step = step};
