/* The engine in endings of 3 and 4 pieces: wins are won and draws are held against opponents with
 * tablebases, with a fifty-move counter at zero and near its end. CASTELLAN_ENDINGS is the number
 * of starts; `make endings` plays many more than `make test`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../tb/endings.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/setup.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

enum { STARTS = 20, STARTS_SANITIZED = 4, NODES = 5000, ROOM_PLIES = 100, LONGEST_GAME = 2000 };

static const char *const tables[] = {"KPvK",  "KNvK",  "KBvK",  "KRvK",  "KQvK",  "KPPvK", "KNPvK",
                                     "KBPvK", "KRPvK", "KQPvK", "KNNvK", "KBNvK", "KRNvK", "KQNvK",
                                     "KBBvK", "KRBvK", "KQBvK", "KRRvK", "KQRvK", "KQQvK", "KPvKP",
                                     "KNvKP", "KBvKP", "KRvKP", "KQvKP", "KNvKN", "KBvKN", "KRvKN",
                                     "KQvKN", "KBvKB", "KRvKB", "KQvKB", "KRvKR", "KQvKR", "KQvKQ"};
enum { TABLES = sizeof tables / sizeof tables[0] };

typedef struct Field {
    Tablebases *tb;
    SearchPool *pool;
    Random random;
    int wins, holds, rescues; /* games by what was asked of the engine */
} Field;

static int init(void **state)
{
    chess_init();
    Field *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->tb = endings_open();
    random_seed(&f->random, 31);
    assert_int_equal(search_create(&f->pool, evaluator_classical(), 4, NULL), STATUS_OK);
    *state = f;
    return 0;
}

static int finish(void **state)
{
    Field *f = *state;
    search_destroy(f->pool);
    tb_close(f->tb);
    free(f);
    return 0;
}

static void fail_at(const Position *start, const Position *end, const char *what)
{
    char from[FEN_SIZE], to[FEN_SIZE];
    fen_write(start, FEN_X, from);
    fen_write(end, FEN_X, to);
    fail_msg("%s: %s; the game ended with %s", from, what, to);
}

/* -- Players -- */

static Move by_engine(Field *f, const Position *p)
{
    SearchLimits limits = {.nodes = NODES};
    SearchOptions options = {
        .multi_pv = 1, .tb = f->tb, .tb_probe_depth = 1, .tb_probe_limit = 7, .tb_rule50 = true};
    SearchResult r = search_run(f->pool, p, &limits, &options, NULL);
    assert_true(pos_is_legal(p, r.best));
    return r.best;
}

/* The number of replies that keep the result: few are a trap. */
static int good_replies(Tablebases *tb, const Position *p, Move m)
{
    TbRootMove moves[MAX_MOVES];
    int count, best = 0, good = 0;
    Position child = *p;
    Undo undo;
    pos_make(&child, m, &undo);
    if (!tb_rank_moves(tb, &child, true, moves, &count))
        return MAX_MOVES; /* the game is over: no trap */
    for (int i = 0; i < count; i++)
        if (moves[i].rank > moves[best].rank)
            best = i;
    for (int i = 0; i < count; i++)
        good += moves[i].rank == moves[best].rank;
    return good;
}

/* Of the moves that keep the result: the losing side takes the longest line, the winning side the
 * shortest, and in a draw the one with the fewest good replies. */
static Move by_tables(Field *f, const Position *p)
{
    TbRootMove moves[MAX_MOVES];
    int count, best = -1, best_worth = 0, ties = 0;
    assert_true(tb_rank_moves(f->tb, p, true, moves, &count));
    int top = moves[0].rank;
    for (int i = 1; i < count; i++)
        top = moves[i].rank > top ? moves[i].rank : top;
    for (int i = 0; i < count; i++) {
        if (moves[i].rank != top)
            continue;
        int worth = moves[i].dtz ? -moves[i].dtz : -good_replies(f->tb, p, moves[i].move);
        ties = best < 0 || worth > best_worth ? 1 : ties + (worth == best_worth);
        if (best < 0 || worth > best_worth ||
            (worth == best_worth && random_below(&f->random, (uint32_t)ties) == 0)) {
            best = i;
            best_worth = worth;
        }
    }
    return moves[best].move;
}

/* A draw counts as soon as someone may claim it. */
static GameEnd played_out(Field *f, Position *p, Color engine)
{
    GameEnd end = GAME_GOES_ON;
    search_clear(f->pool);
    for (int ply = 0; ply < LONGEST_GAME && end == GAME_GOES_ON; ply++) {
        Undo undo;
        pos_make(p, p->side == engine ? by_engine(f, p) : by_tables(f, p), &undo);
        end = draw_game_end(p);
    }
    return end;
}

/* -- Starts -- */

static void set_counter(Position *p, int rule50)
{
    Setup s;
    pos_describe(p, &s);
    s.rule50 = rule50;
    assert_int_equal(pos_set(p, &s, NULL), STATUS_OK);
}

typedef struct Start {
    Position p;
    int dtz;
    bool won; /* by one side or the other, in time */
} Start;

/* Near its end the counter either leaves just enough plies for the win or one too few. */
static void set_late_counter(Random *random, Start *s)
{
    int plies = abs(s->dtz), slack = (int)random_below(random, 3);
    if (s->dtz == 0) {
        set_counter(&s->p, ROOM_PLIES - 20 + (int)random_below(random, 19));
    } else if (plies > 3 + slack && random_below(random, 3) == 0) {
        set_counter(&s->p, ROOM_PLIES + 1 + slack - plies);
        s->won = false;
    } else {
        set_counter(&s->p, plies + slack < ROOM_PLIES ? ROOM_PLIES - 1 - plies - slack : 0);
    }
}

static Start next_start(Field *f, int number)
{
    for (;;) {
        Start s = {.dtz = 0};
        if (number % 10 == 9)
            endings_random(&f->random, 4, &s.p); /* may have an en-passant capture */
        else
            endings_of(&f->random, tables[number * 7 % TABLES], &s.p);
        if (draw_game_end(&s.p) != GAME_GOES_ON) {
            number++; /* a table of nothing but dead draws has no start */
            continue;
        }
        assert_true(tb_probe_dtz(f->tb, &s.p, &s.dtz));
        /* Most random positions are decided by the next capture: pass over many of those. */
        if (abs(s.dtz) < 6 && random_below(&f->random, 4) != 0)
            continue;
        s.won = s.dtz != 0;
        /* An en-passant right means that a pawn has just moved. */
        if (number % 2 && s.p.st.ep == SQ_NONE)
            set_late_counter(&f->random, &s);
        return s;
    }
}

static void play_one(Field *f, int number)
{
    Start s = next_start(f, number);
    Position p = s.p;
    Color mover = p.side, stronger = s.dtz > 0 ? mover : color_other(mover);
    Color engine = s.won ? stronger : color_other(stronger);
    if (s.dtz == 0)
        engine = (Color)random_below(&f->random, COLOR_COUNT);
    GameEnd end = played_out(f, &p, engine);
    if (s.won && (end != GAME_CHECKMATE || p.side == engine))
        fail_at(&s.p, &p, "a won ending was not won");
    if (!s.won && (end == GAME_GOES_ON || (end == GAME_CHECKMATE && p.side == engine)))
        fail_at(&s.p, &p, "a drawn ending was not held");
    f->wins += s.won;
    f->holds += s.dtz == 0;
    f->rescues += !s.won && s.dtz != 0;
}

static void test_endings_are_won_and_held(void **state)
{
    Field *f = *state;
    if (!f->tb)
        skip();
    const char *asked = getenv("CASTELLAN_ENDINGS");
    long starts = asked ? strtol(asked, NULL, 10) : endings_sanitized() ? STARTS_SANITIZED : STARTS;
    assert_in_range(starts, 1, 1000000);
    for (int i = 0; i < starts; i++)
        play_one(f, i);
    print_message("%ld starts: %d won, %d draws held, %d saved by the fifty-move rule\n", starts,
                  f->wins, f->holds, f->rescues);
}

/* -- Lines -- */

typedef struct Told {
    Position root;
    int lines, length; /* of the last line */
    GameEnd end;       /* and where it leads */
} Told;

static void hear(void *user, const SearchLine *line)
{
    Told *told = user;
    Position p = told->root;
    for (int i = 0; i < line->pv_length; i++) {
        Undo undo;
        assert_true(pos_is_legal(&p, line->pv[i]));
        pos_make(&p, line->pv[i], &undo);
    }
    told->lines++;
    told->length = line->pv_length;
    told->end = draw_game_end(&p);
}

static Told told_about(Field *f, const char *fen, SearchLimits limits)
{
    Told told = {.lines = 0};
    assert_int_equal(fen_parse(&told.root, span_of(fen), false, NULL), STATUS_OK);
    SearchOptions options = {
        .multi_pv = 1, .tb = f->tb, .tb_probe_depth = 1, .tb_probe_limit = 7, .tb_rule50 = true};
    search_clear(f->pool);
    SearchEvents events = {.user = &told, .line = hear};
    search_run(f->pool, &told.root, &limits, &options, &events);
    assert_in_range(told.lines, 1, 1000);
    return told;
}

static void test_last_lines_lead_to_the_mate(void **state)
{
    static const char *const fens[] = {
        "8/8/8/3k4/8/8/8/KBN5 w - - 0 1", "8/8/8/3k4/3p4/8/8/K3Q3 b - - 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", "8/8/8/3k4/8/8/8/KR6 w - - 10 20"};
    Field *f = *state;
    if (!f->tb)
        skip();
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        Told told = {.end = GAME_GOES_ON};
        /* Lines are given a few milliseconds: on a busy machine it may take several searches. */
        for (int tries = 0; tries < 50 && told.end != GAME_CHECKMATE; tries++)
            told = told_about(f, fens[i], (SearchLimits){.depth = 3});
        if (told.end != GAME_CHECKMATE && !endings_sanitized())
            fail_msg("%s: the last line stops after %d plies", fens[i], told.length);
    }
}

static void test_drawn_lines_are_left_alone(void **state)
{
    Field *f = *state;
    if (!f->tb)
        skip();
    Told told = told_about(f, "8/8/8/3k4/3n4/8/8/K3R3 w - - 0 1", (SearchLimits){.depth = 3});
    assert_in_range(told.length, 1, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endings_are_won_and_held),
        cmocka_unit_test(test_last_lines_lead_to_the_mate),
        cmocka_unit_test(test_drawn_lines_are_left_alone),
    };
    return cmocka_run_group_tests(tests, init, finish);
}
