/* JavaChess's evaluation, term by term, on positions worked out by hand from its description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "classics/javachess/javachess_eval.h"
#include "evaluating.h"

/* clang-format off */
static const HandWorked rows[] = {
    /* equal; a pawn up: 100 + 100 * 7900 * 1 / 12800; a rook without pawns; the lead is cut at
     * 2400 */
    {FEN_START, "material", 0, 0},
    {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "material", 161, 0},
    {"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "material", 161, 0},
    {"r3k3/8/8/8/8/8/8/4K3 w - - 0 1", "material", 0, 500},
    {"4k3/8/8/8/8/QQQ5/8/4K3 w - - 0 1", "material", 2400, 0},
    /* a queen up, 200 exchanged otherwise: 900 + 900 * 1100 * 7 / (6400 * 8) */
    {"r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1B1K2R b KQ - 3 9", "material", 0, 1035},
    /* knight 300, bishop 350 */
    {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "material", 300, 0},
    {"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "material", 350, 0},
    /* c1 is dark, and so are a3 and b2; c2 is light */
    {"4k3/8/8/8/8/P7/1PP5/2B1K3 w - - 0 1", "bad bishops", -16, 0},
    {"2b1k3/2p5/8/8/8/8/8/4K3 w - - 0 1", "bad bishops", 0, 0},
    {"2b1k3/1p1p4/8/8/8/8/8/4K3 w - - 0 1", "bad bishops", 0, -16},
    /* a-file open, b-file half open, h-file closed */
    {"4k3/1p6/8/8/8/8/7P/RR2K2R w - - 0 1", "rooks on open files", 14, 0},
    {"r3k3/8/8/8/8/8/P7/4K3 w - - 0 1", "rooks on open files", 0, 4},
    {"4k3/R7/8/8/8/8/4r3/1K6 w - - 0 1", "rooks on the 7th", 22, 22},
    {"R3k3/8/8/8/8/8/8/1K6 b - - 0 1", "rooks on the 7th", 0, 0},
    /* behind; before it; behind a pawn that is not passed */
    {"4k3/8/8/P7/8/8/8/R3K3 w - - 0 1", "rooks behind passed", 25, 0},
    {"4k3/R7/8/P7/8/8/8/4K3 w - - 0 1", "rooks behind passed", 0, 0},
    {"4k3/1p6/8/P7/8/8/8/R3K3 w - - 0 1", "rooks behind passed", 0, 0},
    {FEN_START, "d/e pawns", -30, -30},
    {"rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 1", "d/e pawns", 0, -15},
    {FEN_START, "back-rank minors", -40, -40},
    {"r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1", "back-rank minors", -30, -30},
    {FEN_START, "early queen", 0, 0},
    {"rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 1", "early queen", -48, 0},
    {"4k3/8/8/3q4/8/8/8/RNB1K3 w - - 0 1", "early queen", 0, 0},
    {"4k3/8/8/3q4/8/8/3Q4/RNB1K3 w - - 0 1", "early queen", -24, 0},
    /* both rights; king side; queen side; none; castled; a rook that is shut in; nothing without
     * the enemy's queen */
    {"r2qk2r/8/8/8/8/8/8/R2QK2R w KQk - 0 1", "castling", -24, -40},
    {"r2qk2r/8/8/8/8/8/8/R2QK2R w Qk - 0 1", "castling", -80, -40},
    {"r2q1rk1/8/8/8/8/8/8/R2QK2R w - - 0 1", "castling", -120, 10},
    {"1k1rq3/8/8/8/8/8/8/3QK1R1 w - - 0 1", "castling", -120, 10},
    {"4qk1r/8/8/8/8/8/8/3Q2KR w - - 0 1", "castling", -120, -120},
    {"r3k2r/8/8/8/8/8/8/R2QK2R w KQkq - 0 1", "castling", 0, -24},
    /* three on one file count once */
    {"4k3/5p2/8/5p2/P7/P7/P7/4K3 w - - 0 1", "doubled files", -8, -8},
    {"4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "doubled files", 0, 0},
    {"4k3/8/2p5/2P1p3/4P3/8/8/4K3 w - - 0 1", "rams", -16, -16},
    {"4k3/4p3/8/8/4P3/8/8/4K3 w - - 0 1", "rams", 0, 0},
    {"4k3/8/8/8/P7/P7/2P3PP/4K3 w - - 0 1", "isolated files", -30, 0},
    {FEN_START, "eight pawns", -10, -10},
    {"rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "eight pawns", -10, 0},
    /* the 5th rank gives 25, the 7th 49; a neighbour ahead stops it, one on the same rank does
     * not */
    {"4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "passed pawns", 25, 0},
    {"4k3/8/8/8/8/8/p7/4K3 w - - 0 1", "passed pawns", 0, 49},
    {"4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", "passed pawns", 0, 0},
    {"4k3/8/8/Pp6/8/8/8/4K3 w - - 0 1", "passed pawns", 25, 16},
    {"4k3/8/8/P7/P7/8/8/4K3 w - - 0 1", "passed pawns", 25, 0},
    /* king e8: rook c5, 3 ranks and 2 files away; queen b1, 7 and 3; knight e6, 2 and 0 */
    {"4k3/8/8/2R5/8/8/8/4K3 w - - 0 1", "king tropism", -4, 0},
    {"4k3/8/8/8/8/8/8/1Q2K3 w - - 0 1", "king tropism", -3, 0},
    {"4k3/8/4N3/8/8/8/8/4K3 w - - 0 1", "king tropism", 3, 0},
    {"4k3/8/8/8/8/8/8/4K2n w - - 0 1", "king tropism", 0, 2},
};
/* clang-format on */

static void every_term(void **state)
{
    (void)state;
    evaluating_check(&javachess_evaluator, rows, sizeof rows / sizeof *rows);
}

/* A pawn on e2: 161 material, -15 unmoved, -15 isolated, 4 passed: 135. White is to have 128, and
 * Black, when it is his turn, -136. */
static void values_are_rounded_down(void **state)
{
    (void)state;
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    Position white = evaluating_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    Position black = evaluating_position("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
    classic_eval_default_weights(&javachess_evaluator, weights);
    assert_int_equal(classic_eval_score(&javachess_evaluator, &white, weights), 128);
    assert_int_equal(classic_eval_score(&javachess_evaluator, &black, weights), -136);
    assert_int_equal(javachess_quick(&white, weights), 160);
    assert_int_equal(javachess_quick(&black, weights), -168);
}

static void weights_change_their_terms(void **state)
{
    (void)state;
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    Position p = evaluating_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    classic_eval_default_weights(&javachess_evaluator, weights);
    weights[0] = 200; /* 200 + 200 * 7800 / 12800 = 321; -15 - 15 + 4 */
    assert_int_equal(classic_eval_score(&javachess_evaluator, &p, weights), 288);
}

static void colours_are_equal(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1B1K2R b KQ - 3 9",
        "8/P6k/8/8/1R6/8/p6K/8 b - - 0 60",
    };
    evaluating_check_mirror(&javachess_evaluator, fens, 3);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_term),
        cmocka_unit_test(values_are_rounded_down),
        cmocka_unit_test(weights_change_their_terms),
        cmocka_unit_test(colours_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
