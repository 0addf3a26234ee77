/* Makes PGN for measuring and testing: seeded, legal, game-like games with tags, and some with
 * comments, clocks, glyphs and variations.
 *
 *   makegames MEGABYTES [SEED] > games.pgn
 *
 * Moves are chosen among those that lose nothing at once, with a liking for captures, so that games
 * have openings, exchanges and endings of about real length. */
#include "base/random.h"
#include "base/text.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/see.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_GAME = 300, COLUMNS = 79 };

typedef struct Maker {
    Random random;
    Text out;
    size_t column;
    bool annotated;
    uint64_t games;
} Maker;

static void word(Maker *m, const char *text)
{
    size_t len = strlen(text);
    if (m->column && m->column + 1 + len > COLUMNS) {
        text_add_char(&m->out, '\n');
        m->column = 0;
    } else if (m->column) {
        text_add_char(&m->out, ' ');
        m->column++;
    }
    text_add(&m->out, text, len);
    m->column += len;
}

static bool chance(Maker *m, uint32_t percent)
{
    return random_below(&m->random, 100) < percent;
}

/* A few tries to find a move that does not hang something; the last try stands. */
static Move choose(Maker *m, const Position *p)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    Move best = MOVE_NONE;
    for (int tries = 0; tries < 6 && count; tries++) {
        best = moves[random_below(&m->random, (uint32_t)count)];
        if (!see_at_least(p, best, 0))
            continue;
        if (pos_is_capture(p, best) || piece_type(p->board[move_from(best)]) != KING || tries > 3)
            break;
    }
    return best;
}

static void number(Maker *m, const Position *p, bool due)
{
    char text[16];
    if (p->side == BLACK && !due)
        return;
    snprintf(text, sizeof text, "%u%s", p->game_ply / 2 + 1, p->side == WHITE ? "." : "...");
    word(m, text);
}

static void one_move(Maker *m, Position *p, Move move, bool due)
{
    char san[SAN_SIZE];
    Undo undo;
    number(m, p, due);
    san_write(p, move, san);
    word(m, san);
    pos_make(p, move, &undo);
}

static void variation(Maker *m, const Position *before)
{
    Position p = *before;
    word(m, "(");
    m->column = 0;
    text_add_char(&m->out, '\n');
    int plies = 1 + (int)random_below(&m->random, 6);
    for (int i = 0; i < plies; i++) {
        Move move = choose(m, &p);
        if (move == MOVE_NONE)
            break;
        one_move(m, &p, move, i == 0);
    }
    word(m, ")");
}

/* True when Black's move needs its number again. */
static bool annotate(Maker *m, const Position *before, int ply)
{
    static const char *const remarks[] = {"{a natural move}", "{White is better}",
                                          "{here the engines prefer something else}", "$1", "$6"};
    bool due = false;
    if (!m->annotated)
        return false;
    if (chance(m, 60)) {
        char clock[64];
        snprintf(clock, sizeof clock, "{ [%%clk 0:%02d:%02d] }", 59 - ply / 6 % 60, ply * 7 % 60);
        word(m, clock);
        due = true;
    }
    if (chance(m, 8)) {
        word(m, remarks[random_below(&m->random, 5)]);
        due = true;
    }
    if (chance(m, 4)) {
        variation(m, before);
        due = true;
    }
    return due;
}

static const char *play(Maker *m)
{
    Position p;
    pos_set_start(&p);
    bool due = true;
    for (int ply = 0; ply < LONGEST_GAME; ply++) {
        GameEnd end = draw_game_end(&p);
        if (end == GAME_CHECKMATE)
            return p.side == WHITE ? "0-1" : "1-0";
        if (end != GAME_GOES_ON)
            return "1/2-1/2";
        if (ply > 40 && chance(m, 1))
            return chance(m, 50) ? "1-0" : "0-1";
        Position before = p;
        one_move(m, &p, choose(m, &p), due);
        due = annotate(m, &before, ply);
    }
    return "1/2-1/2";
}

/* The tags come last, because the result is one of them. */
static void tags(Maker *m, Text *out, const char *result)
{
    static const char *const names[] = {"Anders, K.", "Bellini, R.", "Castell, M.",
                                        "Dorn, A.",   "Evert, P.",   "Ferro, L."};
    uint32_t white = random_below(&m->random, 6), black = random_below(&m->random, 6);
    text_addf(out,
              "[Event \"Test games\"]\n[Site \"Nowhere\"]\n[Date \"2026.%02u.%02u\"]\n"
              "[Round \"%" PRIu64 "\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Result \"%s\"]\n"
              "[WhiteElo \"%u\"]\n[BlackElo \"%u\"]\n[ECO \"A00\"]\n\n",
              1 + random_below(&m->random, 12), 1 + random_below(&m->random, 28), ++m->games,
              names[white], names[black], result, 1800 + random_below(&m->random, 900),
              1800 + random_below(&m->random, 900));
}

int main(int argc, char **argv)
{
    int64_t megabytes = 1, seed = 1;
    if (argc < 2 || !span_to_int64(span_of(argv[1]), 1, 100000, &megabytes) ||
        (argc > 2 && !span_to_int64(span_of(argv[2]), 0, INT64_MAX, &seed))) {
        fprintf(stderr, "usage: makegames MEGABYTES [SEED]\n");
        return 2;
    }
    chess_init();
    Maker m = {0};
    random_seed(&m.random, (uint64_t)seed);
    text_init(&m.out);
    Text head;
    text_init(&head);
    for (int64_t written = 0; written < megabytes * 1000000;) {
        text_clear(&m.out);
        text_clear(&head);
        m.column = 0;
        m.annotated = chance(&m, 30);
        const char *result = play(&m);
        word(&m, result);
        text_add_str(&m.out, "\n\n");
        tags(&m, &head, result);
        if (m.out.failed || head.failed || fputs(head.at, stdout) < 0 ||
            fputs(m.out.at, stdout) < 0)
            return 1;
        written += (int64_t)(head.len + m.out.len);
    }
    text_free(&head);
    text_free(&m.out);
    return fflush(stdout) ? 1 : 0;
}
