/* The adaptive program: its terms by hand, its check of 2011, the order of its moves
 * and its draws. */
#include "engine/opponents.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../engine/playing.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "classics/adaptive/adaptive.h"
#include "evaluating.h"

#include <string.h>

#define AFTER_NC3 "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 1 1"
#define AFTER_E4 "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 2"

/* White has left b1 and e2, Black e7. White's moves: 12 of pawns, 5 and 3 of knights, 5 of the
 * bishop, 4 of the queen, 1 of king and rook each; Black's: 14, 5 of knights, 5, 4, 1. A piece in
 * the centre counts once, the pawns on e4 and e5 twice. */
static void test_terms(void **state)
{
    (void)state;
    evaluating_term(&adaptive_evaluator, FEN_START, "material", 3900, 3900);
    evaluating_term(&adaptive_evaluator, FEN_START, "mobility", 160, 160);
    evaluating_term(&adaptive_evaluator, FEN_START, "development", 0, 0);
    evaluating_term(&adaptive_evaluator, FEN_START, "centre", 0, 0);
    evaluating_term(&adaptive_evaluator, AFTER_E4, "mobility", 31 * 8, 29 * 8);
    evaluating_term(&adaptive_evaluator, AFTER_E4, "development", 2 * 12.5, 12.5);
    evaluating_term(&adaptive_evaluator, AFTER_E4, "centre", 4 * 2, 2 * 2);
    /* A pinned knight's six moves count; the king's steps into check do not. */
    evaluating_term(&adaptive_evaluator, "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "mobility", 10 * 8,
                    16 * 8);
    evaluating_term(&adaptive_evaluator, "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "material", 300, 500);
    /* Queen on d5: 4 twice; rook on f6: 3 once. */
    evaluating_term(&adaptive_evaluator, "4k3/8/5r2/3Q4/8/8/8/4K3 w - - 0 1", "centre", 16, 6);
    /* Both castlings are moves: of the rooks 10 and 9, of the king 5. */
    evaluating_term(&adaptive_evaluator, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "mobility", 26 * 8,
                    5 * 8);
    evaluating_check_mirror(&adaptive_evaluator, (const char *const[]){AFTER_E4}, 1);
}

/* The document's own example, at the two plies of the program. */
static void test_check_of_the_document(void **state)
{
    (void)state;
    playing_expect_once("adaptive", AFTER_NC3, 0, "e5");
    playing_expect_once("adaptive", AFTER_E4, 0, "Qg5");
}

static void test_search(void **state)
{
    (void)state;
    SearchLimits none = {0};
    OpponentAnswer a = playing_once("adaptive", FEN_START, &none, 1);
    assert_int_equal(a.depth, 2);
    playing_expect_once("adaptive", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 0, "Ra8#");
    playing_expect_once("adaptive", "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", 3, "Ra2");
    playing_expect_once("adaptive", "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", 0, "Nxd5");
}

/* With one ply the bred weights know no mobility, and e2-e4 is worth no more than
 * any first move. */
static void test_evolved(void **state)
{
    (void)state;
    SearchLimits one = {.depth = 1}, two = {.depth = 2};
    OpponentAnswer a = playing_once("adaptive-evolved", FEN_START, &one, 1);
    OpponentAnswer b = playing_once("adaptive", FEN_START, &one, 1);
    assert_int_equal(a.score, 7 * 25 / 10);
    assert_true(b.score > 80);
    assert_int_equal(playing_once("adaptive-evolved", FEN_START, &two, 1).depth, 2);
    playing_expect_once("adaptive-evolved", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 0, "Ra8#");
}

static void test_order(void **state)
{
    (void)state;
    static const char *const want[] = {"a2a3", "a2a4", "b2b3", "b2b4", "c2c3", "c2c4", "d2d3",
                                       "d2d4", "e2e3", "e2e4", "f2f3", "f2f4", "g2g3", "g2g4",
                                       "h2h3", "h2h4", "b1c3", "b1a3", "g1h3", "g1f3"};
    Position p = evaluating_position(FEN_START);
    Move moves[MAX_MOVES];
    int count = movegen(&p, GEN_ALL, moves);
    assert_int_equal(count, 20);
    adaptive_order(&p, moves, count);
    for (int i = 0; i < count; i++) {
        char text[UCI_MOVE_SIZE];
        uci_move_write(&p, moves[i], text);
        assert_string_equal(text, want[i]);
    }
    p = evaluating_position("4k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1");
    count = movegen(&p, GEN_ALL, moves);
    adaptive_order(&p, moves, count);
    assert_int_equal(move_promotion(moves[0]), QUEEN);
    assert_int_equal(castling_wing(moves[count - 1]), KING_SIDE);
    assert_int_equal(move_kind(moves[count - 1]), MOVE_CASTLING);
    assert_int_equal(castling_wing(moves[count - 2]), QUEEN_SIDE);
}

static bool accepts(Opponent *o, const char *fen)
{
    Position p = evaluating_position(fen);
    return opponent_accepts_draw(o, &p);
}

/* A draw is welcome to the side that stands worse, whoever is to move. */
static void test_draws(void **state)
{
    (void)state;
    Opponent *o = playing_open("adaptive", 1);
    assert_true(accepts(o, "4k3/8/8/8/8/8/q7/4K3 w - - 0 1"));
    assert_false(accepts(o, "4k3/8/8/8/8/8/q7/4K3 b - - 0 1"));
    assert_false(accepts(o, FEN_START));
    Position p = evaluating_position("4k3/8/8/8/8/8/q7/4K3 w - - 0 1");
    SearchLimits none = {0};
    atomic_bool stop = false;
    OpponentTask task = {.position = &p, .limits = &none, .stop = &stop};
    OpponentAnswer answer;
    opponent_think(o, &task, &answer);
    assert_true(accepts(o, "4k3/8/8/8/8/8/q7/5K2 b - - 1 1"));
    assert_false(accepts(o, "4k3/8/8/8/8/8/Q7/5K2 b - - 1 1"));
    opponent_close(o);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),  cmocka_unit_test(test_check_of_the_document),
        cmocka_unit_test(test_search), cmocka_unit_test(test_evolved),
        cmocka_unit_test(test_order),  cmocka_unit_test(test_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
