/* Chess Mantis at the board: its two analysers, its evaluators, its clock and its random switch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../engine/playing.h"
#include "chess/fen.h"
#include "classics/mantis/mantis_eval.h"
#include "classics/plain_search.h"
#include "evaluating.h"
#include "opponent/effort.h"

#define MIDDLE "r1bqk2r/pp1p1ppp/2n1pn2/8/1bPN4/2N5/PPQ1PPPP/R1B1KB1R w KQkq - 2 7"

/* -- Analysers -- */

static OpponentAnswer search(const char *fen, const ClassicEval *evaluator, bool minimax, int depth)
{
    Position p = evaluating_position(fen);
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    SearchLimits limits = {.depth = depth};
    atomic_bool stop = false;
    OpponentTask task = {.position = &p, .limits = &limits, .stop = &stop};
    EffortHabits habits = {.depth = 1};
    OpponentAnswer answer;
    PlainSearchConfig setup = {.evaluator = evaluator, .weights = weights, .minimax = minimax};
    classic_eval_default_weights(evaluator, weights);
    plain_search(&setup, &habits, &task, &answer);
    return answer;
}

static void test_analysers_agree(void **state)
{
    (void)state;
    static const char *const fens[] = {FEN_START, MIDDLE,
                                       "8/2k5/3p4/p2P1p2/P2P1P2/8/8/4K3 w - - 0 1",
                                       "6k1/1r3ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"};
    for (int i = 0; i < 4; i++) {
        OpponentAnswer slow = search(fens[i], &mantis_evaluator, true, 3);
        OpponentAnswer quick = search(fens[i], &mantis_evaluator, false, 3);
        assert_int_equal(slow.score, quick.score);
        assert_int_equal(slow.move, quick.move);
        assert_true(quick.nodes < slow.nodes);
    }
    /* Every node of three plies and of those before: 1 + 20, ... + 400, ... + 8902. */
    assert_int_equal(search(FEN_START, &capuchin_evaluator, true, 3).nodes, 21 + 421 + 9323);
}

/* -- Evaluators -- */

static void test_mates(void **state)
{
    (void)state;
    static const char *const programs[] = {"macaque", "mantis", "mantis-minimax", "mantis-random"};
    for (int i = 0; i < 4; i++) {
        playing_expect_once(programs[i], "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 2, "Ra8#");
        playing_expect_once(programs[i], "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", 3, "Ra2");
    }
    SearchLimits limits = {.depth = 3};
    OpponentAnswer a = playing_once("mantis", "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", &limits, 1);
    assert_int_equal(score_mate_moves(a.score), 2);
}

/* Capuchin counts material: it takes the pawn and lets the mate on a8 go. */
static void test_men_before_mates(void **state)
{
    (void)state;
    playing_expect_once("capuchin", "6k1/5ppp/8/8/p7/8/8/R5K1 w - - 0 1", 1, "Rxa4");
    playing_expect_once("macaque", "6k1/5ppp/8/8/8/1p6/8/R1R3K1 w - - 0 1", 2, "Ra8#");
}

static void test_hanging_piece(void **state)
{
    (void)state;
    static const char *const programs[] = {"capuchin", "sifaka", "macaque", "mantis"};
    for (int i = 0; i < 4; i++)
        playing_expect_once(programs[i], "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", 0, "Nxd5");
}

/* -- Chance -- */

static int count_moves(const char *name, int depth)
{
    SearchLimits limits = {.depth = depth};
    Move seen[32];
    int count = 0;
    for (uint64_t seed = 0; seed < 32; seed++) {
        Move m = playing_once(name, FEN_START, &limits, seed).move;
        assert_int_equal(m, playing_once(name, FEN_START, &limits, seed).move);
        int k = 0;
        while (k < count && seen[k] != m)
            k++;
        seen[k] = m;
        count += k == count;
    }
    return count;
}

static void test_chance(void **state)
{
    (void)state;
    assert_true(count_moves("marmoset", 0) > 10);
    assert_true(count_moves("mantis-random", 1) > 5);
    assert_int_equal(count_moves("mantis", 1), 1);
}

/* -- The clock -- */

static int64_t time_of(const SearchLimits *limits)
{
    Position p = evaluating_position(FEN_START);
    atomic_bool stop = false;
    OpponentTask task = {.position = &p, .limits = limits, .stop = &stop};
    EffortHabits habits = {.depth = 4};
    Effort e = effort_begin(&task, &habits);
    return e.end_ms ? e.end_ms - e.start_ms : 0;
}

static void test_clock(void **state)
{
    (void)state;
    SearchLimits l = {.has_clock = {true, true}, .clock_ms = {60000, 1}, .moves_to_go = 40};
    assert_int_equal(time_of(&l), 1500);
    l.moves_to_go = 0;
    assert_int_equal(time_of(&l), 2000);
    l.increment_ms[WHITE] = 500;
    assert_int_equal(time_of(&l), 2500);
    l.moves_to_go = 1;
    assert_int_equal(time_of(&l), 59940);
    l.clock_ms[WHITE] = -20;
    assert_int_equal(time_of(&l), 1);
    assert_int_equal(time_of(&(SearchLimits){.move_time_ms = 100}), 90);
    assert_int_equal(time_of(&(SearchLimits){.depth = 3}), 0);
    l.infinite = true;
    assert_int_equal(time_of(&l), 0);
}

static Effort effort_for(const SearchLimits *limits, bool steady)
{
    static const atomic_bool stop = false;
    Position p = evaluating_position(FEN_START);
    OpponentTask task = {.position = &p, .limits = limits, .stop = &stop};
    EffortHabits habits = {.depth = 4, .nodes = 1000, .steady = steady};
    return effort_begin(&task, &habits);
}

static void test_habits(void **state)
{
    (void)state;
    SearchLimits none = {0}, timed = {.move_time_ms = 1000}, deep = {.depth = 7};
    assert_int_equal(effort_for(&none, false).depth, 4);
    assert_int_equal(effort_for(&none, false).nodes, 1000);
    assert_int_equal(effort_for(&timed, false).depth, MAX_PLY);
    assert_int_equal(effort_for(&timed, true).depth, 4);
    assert_int_equal(effort_for(&deep, true).depth, 7);
    assert_int_equal(effort_for(&deep, true).nodes, 0);
    assert_int_equal(effort_for(&(SearchLimits){.mate = 2}, false).depth, 4);
    assert_int_equal(effort_for(&(SearchLimits){.nodes = 50}, false).nodes, 50);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analysers_agree),  cmocka_unit_test(test_mates),
        cmocka_unit_test(test_men_before_mates), cmocka_unit_test(test_hanging_piece),
        cmocka_unit_test(test_chance),           cmocka_unit_test(test_clock),
        cmocka_unit_test(test_habits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
