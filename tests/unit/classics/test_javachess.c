/* JavaChess as an opponent: its search against itself by other ways, its table, its resignation,
 * and games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../engine/playing.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "classics/javachess/javachess_eval.h"
#include "classics/javachess/javachess_search.h"
#include "evaluating.h"

#include <stdlib.h>
#include <string.h>

static const char *const positions[] = {
    FEN_START,
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 3 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1",
    "4k3/8/1q6/8/8/8/8/4K2R b K - 0 1",
};

/* The first few are wild: a depth there costs what two cost in the others. */
enum { POSITIONS = sizeof positions / sizeof *positions, WILD = 3 };

typedef struct Bench {
    JavaChessSearch search;
    OpponentTask task;
    SearchLimits limits;
    atomic_bool stop;
    Effort effort;
} Bench;

static void set_up(Bench *b, const char *fen, bool table, bool lazy)
{
    EffortHabits habits = {.depth = 15};
    memset(b, 0, sizeof *b);
    b->search.position = evaluating_position(fen);
    classic_eval_default_weights(&javachess_evaluator, b->search.weights);
    b->search.table = table ? calloc(1, sizeof(JavaChessTable)) : NULL;
    b->search.lazy = lazy;
    b->task = (OpponentTask){.position = &b->search.position, .limits = &b->limits};
    b->task.stop = &b->stop;
    b->effort = effort_begin(&b->task, &habits);
    b->search.effort = &b->effort;
}

static void tear_down(Bench *b)
{
    free(b->search.table);
}

/* -- Search -- */

/* Without the table, which may answer from a deeper search, and without lazy evaluation, which
 * leaves bounds that hold for one window only, both must find the minimax value. */
static void mtdf_finds_the_value_of_alphabeta(void **state)
{
    (void)state;
    Bench *b = malloc(sizeof *b);
    for (int i = 0; i < POSITIONS; i++)
        for (int depth = 1; depth <= (i < WILD ? 2 : 3); depth++) {
            Move by_mtdf, by_alphabeta;
            set_up(b, positions[i], false, false);
            int value = javachess_alphabeta(&b->search, depth, &by_alphabeta);
            assert_int_equal(javachess_mtdf(&b->search, 0, depth, &by_mtdf), value);
            assert_int_equal(javachess_mtdf(&b->search, 300, depth, &by_mtdf), value);
            assert_true(pos_is_legal(&b->search.position, by_mtdf));
        }
    free(b);
}

/* The move MTD(f) plays is worth the value it tells. */
static void mtdf_plays_a_move_of_that_value(void **state)
{
    (void)state;
    Bench *b = malloc(sizeof *b);
    for (int i = 0; i < POSITIONS; i++) {
        Move best;
        set_up(b, positions[i], false, false);
        int depth = i < WILD ? 2 : 3, value = javachess_mtdf(&b->search, 0, depth, &best);
        b->limits.only[0] = best;
        b->limits.only_count = 1;
        assert_int_equal(javachess_alphabeta(&b->search, depth, &best), value);
    }
    free(b);
}

static void table_saves_nodes(void **state)
{
    (void)state;
    Bench *b = malloc(sizeof *b);
    Move best;
    const char *ending = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";
    set_up(b, ending, false, true);
    javachess_mtdf(&b->search, 0, 6, &best);
    uint64_t without = b->search.nodes;
    set_up(b, ending, true, true);
    javachess_mtdf(&b->search, 0, 6, &best);
    assert_true(b->search.nodes < without / 2);
    assert_true(b->search.counts.regular_hits > 0);
    tear_down(b);
    free(b);
}

static void history_learns_from_cutoffs(void **state)
{
    (void)state;
    Bench *b = malloc(sizeof *b);
    Move best;
    uint64_t sum = 0;
    set_up(b, positions[1], false, true);
    javachess_mtdf(&b->search, 0, 3, &best);
    for (Square from = 0; from < SQUARE_COUNT; from++)
        for (Square to = 0; to < SQUARE_COUNT; to++)
            sum += b->search.history[WHITE][from][to] + b->search.history[BLACK][from][to];
    assert_int_equal(sum, b->search.counts.regular_cutoffs + b->search.counts.quiescence_cutoffs);
    assert_true(sum > 0);
    free(b);
}

static void mates_are_counted(void **state)
{
    (void)state;
    Bench *b = malloc(sizeof *b);
    Move best;
    set_up(b, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", false, true);
    assert_int_equal(javachess_mtdf(&b->search, 0, 2, &best), JAVACHESS_MAX);
    assert_int_equal(javachess_score(JAVACHESS_MAX), score_mate_in(1));
    assert_int_equal(javachess_score(JAVACHESS_MAX - 2), score_mate_in(3));
    assert_int_equal(javachess_score(JAVACHESS_GIVE_UP), score_mated_in(6)); /* by the third move */
    assert_int_equal(javachess_score(-320), -320);
    free(b);
}

/* Deeper entries stay in their places until they are older. */
static void table_keeps_deeper_entries(void **state)
{
    (void)state;
    Bench *b = malloc(sizeof *b);
    Move best;
    set_up(b, positions[2], true, true);
    javachess_mtdf(&b->search, 0, 5, &best);
    assert_int_equal(b->search.nodes, 97508);
    assert_int_equal(b->search.counts.regular_hits, 1709);
    assert_int_equal(b->search.counts.quiescence_hits, 158);
    b->search.stamp++;
    b->search.counts = (JavaChessCounts){0};
    javachess_mtdf(&b->search, 0, 4, &best);
    assert_int_equal(b->search.counts.regular_hits, 1173);
    assert_int_equal(b->search.counts.quiescence_hits, 49);
    tear_down(b);
    free(b);
}

/* -- The opponent -- */

static void finds_mates_and_captures(void **state)
{
    (void)state;
    const char *const names[] = {"javachess", "javachess-alphabeta"};
    SearchLimits four = {.depth = 4};
    for (int i = 0; i < 2; i++) {
        Opponent *o = playing_open(names[i], 1);
        playing_expect(o, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", &four, "Rd8#");
        playing_expect(o, "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", &four, "Ra2");
        playing_expect(o, "4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", &four, "Rxd5");
        OpponentAnswer a = playing_ask(o, "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", &four);
        assert_int_equal(a.score, score_mate_in(3));
        assert_int_equal(a.depth, 4);
        assert_true(a.nodes > 0);
        assert_false(a.resigns);
        opponent_close(o);
    }
}

static void opens_with_the_ruy_lopez(void **state)
{
    (void)state;
    SearchLimits clock = {.has_clock = {true, true}, .clock_ms = {60000, 60000}};
    Opponent *o = playing_open("javachess", 1);
    playing_expect(o, FEN_START, &clock, "e4");
    playing_expect(o, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", &clock,
                   "Bb5");
    assert_int_equal(playing_ask(o, FEN_START, &clock).nodes, 0);
    opponent_close(o);
}

/* Two rooks mate on the back ranks in two: nothing helps, and it says so and shows the end. */
static void resigns_when_mate_is_near(void **state)
{
    (void)state;
    SearchLimits six = {.depth = 6};
    Opponent *o = playing_open("javachess", 1);
    OpponentAnswer a = playing_ask(o, "7k/R7/8/8/8/8/6PP/1R5K b - - 0 1", &six);
    assert_true(a.resigns);
    assert_string_equal(a.talk, "I resign: Kg8 Rb8#");
    a = playing_ask(o, "7k/8/8/8/8/8/R5PP/1R5K b - - 0 1", &(SearchLimits){.depth = 3});
    assert_false(a.resigns);
    assert_string_equal(a.talk, "");
    opponent_close(o);
}

static void same_seed_same_moves(void **state)
{
    (void)state;
    Opponent *a = playing_open("javachess", 5), *b = playing_open("javachess", 5);
    SearchLimits limits = {.nodes = 20000};
    for (int i = 0; i < POSITIONS; i++) {
        OpponentAnswer x = playing_ask(a, positions[i], &limits);
        OpponentAnswer y = playing_ask(b, positions[i], &limits);
        assert_int_equal(x.move, y.move);
        assert_int_equal(x.nodes, y.nodes);
    }
    opponent_new_game(a, 5);
    opponent_new_game(b, 5);
    assert_int_equal(playing_ask(a, positions[1], &limits).nodes,
                     playing_ask(b, positions[1], &limits).nodes);
    opponent_close(a);
    opponent_close(b);
}

/* The iteration that passes the budget is the last one, and is finished. */
static void own_effort_is_the_budget(void **state)
{
    (void)state;
    Opponent *o = playing_open("javachess", 1);
    SearchLimits none = {0};
    OpponentAnswer a = playing_ask(o, positions[2], &none);
    assert_true(a.nodes > 100000 && a.depth >= 3);
    SearchLimits one_less = {.depth = a.depth - 1};
    opponent_new_game(o, 1);
    assert_true(playing_ask(o, positions[2], &one_less).nodes < a.nodes);
    a = playing_ask(o, "8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", &none); /* hardly a tree */
    assert_true(a.depth <= 15);
    opponent_close(o);
}

static void stops_soon(void **state)
{
    (void)state;
    playing_check_stops("javachess");
    playing_check_stops("javachess-alphabeta");
}

static void plays_games(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        assert_true(playing_game("javachess", "javachess-alphabeta", seed, 2000) > 0);
        assert_true(playing_game("javachess-alphabeta", "javachess", seed, 2000) > 0);
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mtdf_finds_the_value_of_alphabeta),
        cmocka_unit_test(mtdf_plays_a_move_of_that_value),
        cmocka_unit_test(table_saves_nodes),
        cmocka_unit_test(table_keeps_deeper_entries),
        cmocka_unit_test(history_learns_from_cutoffs),
        cmocka_unit_test(mates_are_counted),
        cmocka_unit_test(finds_mates_and_captures),
        cmocka_unit_test(opens_with_the_ruy_lopez),
        cmocka_unit_test(resigns_when_mate_is_near),
        cmocka_unit_test(same_seed_same_moves),
        cmocka_unit_test(own_effort_is_the_budget),
        cmocka_unit_test(stops_soon),
        cmocka_unit_test(plays_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
