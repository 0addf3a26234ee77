/* ChessBin at a console: the guide prints no session, but its texts of moves ("Nb1c3", "exd5",
 * "O-O", "e8=Q"), its FENs with the en passant square after every double step, and the two figures
 * that it keeps of a search: time and nodes. Moves are typed as squares ("e2e4"); "undo" takes the
 * last two back, which its board kept for that purpose. */
#include "classics/console.h"

#include "base/clock.h"
#include "classics/chessbin/chessbin.h"

#include <inttypes.h>

typedef struct ChessBinConsole {
    Position before; /* the last turn of the person */
    Square passed;
    bool can_undo;
} ChessBinConsole;

static void add_square(Text *out, Square s)
{
    text_addf(out, "%c%d", 'a' + square_file(s), square_rank(s) + 1);
}

/* A move as the guide writes it: knights and rooks with their square, no sign for check. */
static void add_move(const Position *before, Move m, Text *out)
{
    static const char letters[PIECE_TYPE_COUNT] = {0, 'N', 'B', 'R', 'Q', 'K'};
    PieceType t = piece_type(pos_piece_on(before, move_from(m)));
    if (move_kind(m) == MOVE_CASTLING) {
        text_add_str(out, castling_wing(m) == KING_SIDE ? "O-O" : "O-O-O");
        return;
    }
    if (letters[t])
        text_add_char(out, letters[t]);
    if (t == KNIGHT || t == ROOK)
        add_square(out, move_from(m));
    else if (t == PAWN && square_file(move_from(m)) != square_file(move_to(m)))
        text_add_char(out, (char)('a' + square_file(move_from(m))));
    if (pos_is_capture(before, m))
        text_add_char(out, 'x');
    add_square(out, move_to(m));
    if (move_is_promotion(m))
        text_addf(out, "=%c", letters[move_promotion(m)]);
}

static void make(Console *c, Move m, Text *out)
{
    add_move(&c->position, m, out);
    console_make(c, m);
    text_add_char(out, '\n');
    console_write_fen(c, out);
    GameEnd end = console_settle(c);
    if (end == GAME_CHECKMATE)
        text_addf(out, "%s mates\n", c->position.side == WHITE ? "Black" : "White");
    else if (c->over)
        text_add_str(out, "draw\n");
}

static void step(Console *c, Text *out)
{
    OpponentAnswer a;
    int64_t start = clock_now_ms();
    console_think(c, NULL, &a);
    text_addf(out, "time: %.1f s, nodes searched: %" PRIu64 "\n",
              (double)(clock_now_ms() - start) / 1000, a.nodes);
    make(c, a.move, out);
}

static void undo(Console *c, Text *out)
{
    ChessBinConsole *b = c->self;
    if (!b->can_undo) {
        text_add_str(out, "no move to take back\n");
        return;
    }
    c->position = b->before;
    c->passed = b->passed;
    b->can_undo = false;
    console_write_fen(c, out);
}

static void feed(Console *c, Span line, Text *out)
{
    ChessBinConsole *b = c->self;
    char shown[40];
    if (span_is_ignoring_case(line, "undo")) {
        undo(c, out);
        return;
    }
    Move m = console_read_squares(c, line);
    if (m != MOVE_NONE) {
        *b = (ChessBinConsole){c->position, c->passed, true};
        make(c, m, out);
        return;
    }
    span_show(line, shown, sizeof shown);
    text_addf(out, "'%s' is not a legal move, such as e2e4\n", shown);
}

const ConsoleOps chessbin_console = {
    .row = {.name = "chessbin", .title = "ChessBin", .ops = &chessbin_ops},
    .size = sizeof(ChessBinConsole),
    .feed = feed,
    .step = step};
