/* ChessBin's evaluation, term by term, on positions worked out by hand from its description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "classics/chessbin/chessbin_eval.h"
#include "evaluating.h"

/* clang-format off */
static const HandWorked rows[] = {
    /* 8 * 100 + 2 * 320 + 2 * 325 + 2 * 500 + 975 */
    {FEN_START, "material", 4065, 4065},
    {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "material", 320, 0},
    /* pawns 2 * (5 + 10 + 10 - 25), knights 2 * -40, bishops 2 * -40, king 0 */
    {FEN_START, "piece tables", -160, -160},
    /* a knight on d5 has 20; the pawn on e5, seen from Black's side, stands on e4: 25. Kings e1
     * and e8 in the endgame: -30 */
    {"4k3/8/8/3Np3/8/8/8/4K3 w - - 0 1", "piece tables", -10, -5},
    /* ten pieces or more: the king's table for the middle game has 30 on g1, -40 on d5, which is
     * d4 to Black */
    {"8/pppp4/8/3k4/8/8/PPPP4/6K1 w - - 0 1", "piece tables", 30, -40},
    /* a1 rook: Nb1 and a2; knights: d2 and e2; bishops: b2, d2 and e2, g2; queen: c1, c2, d2,
     * e2, e1; h1: h2, g1; king: d2 e2 f2 d1 f1. Rooks 4 * 2, knights 2 * 3, bishops 4 * 3, queen
     * 5, king 5 */
    {FEN_START, "defended", 36, 36},
    /* the pawn e4 attacks d5 with 6; d5 attacks e4 with 6; nothing defends either: 6 and 6 * 10
     * more */
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "attacked", -6, -6},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "hanging", -60, -60},
    /* the rook on d1 defends nothing of d5's 6, the pawn e6 defends d5 with 6: attacked by 6 + 2 */
    {"4k3/8/4p3/3p4/4P3/8/8/3RK3 w - - 0 1", "attacked", -6, -8},
    {"4k3/8/4p3/3p4/4P3/8/8/3RK3 w - - 0 1", "hanging", -60, -20},
    {FEN_START, "moves", 20, 20},
    /* king e1: five squares; pawn a2: two, g5: one; bishop: six, the king itself is no move;
     * black king h8: g8 and h7, because g7 is attacked */
    {"7k/8/8/6P1/8/8/P7/B3K3 b - - 0 1", "moves", 2 + 1 + 6 + 5, 2},
    {"4k3/p7/8/8/7P/7P/4P3/4K3 w - - 0 1", "edge pawns", -30, -15},
    {"4k3/p7/8/8/7P/7P/7P/4K3 w - - 0 1", "doubled pawns", -32, 0},
    /* the 7th rank alone, defended, attacked; the 6th */
    {"7k/P7/8/8/8/8/8/4K3 w - - 0 1", "6th and 7th rank", 200, 0},
    {"7k/P7/1P6/8/8/8/8/4K3 w - - 0 1", "6th and 7th rank", 200 + 50 + 100, 0},
    {"7k/P7/8/8/8/8/r7/4K3 w - - 0 1", "6th and 7th rank", 0, 0},
    {"4k3/8/8/8/2p5/1p6/8/7K w - - 0 1", "6th and 7th rank", 0, 125},
    /* nothing where the other side has a pawn on the file, ahead of it or behind */
    {"4k3/4p3/4P3/8/8/8/8/4K3 w - - 0 1", "6th and 7th rank", 0, 0},
    {"4k3/4p3/4P3/8/8/8/8/4K3 w - - 0 1", "passed files", 0, 0},
    {"7k/8/P7/p7/8/8/8/4K3 w - - 0 1", "6th and 7th rank", 0, 0},
    {"7k/8/P7/1p6/8/8/8/4K3 w - - 0 1", "6th and 7th rank", 100, 0},
    /* a, c and e to h: a 12, c 16 */
    {"4k3/8/8/8/8/8/P1P1PPPP/4K3 w - - 0 1", "isolated files", -28, 0},
    {"4k3/1p1p4/8/8/8/8/8/4K3 w - - 0 1", "isolated files", 0, -34},
    {"4k3/8/8/8/3P4/3P4/8/4K3 w - - 0 1", "isolated files", -20, 0},
    /* no enemy pawn on the file, wherever it stands */
    {"4k3/4p3/8/8/3PP3/3P4/8/4K3 w - - 0 1", "passed files", 20, 0},
    {"4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", "knights", -20, 0},
    {FEN_START, "knights", 0, 0},
    {FEN_START, "bishops", 10, 10},
    {"4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", "bishops", 30, 0},
    {"4k2b/8/8/8/8/8/8/4K3 w - - 0 1", "bishops", 0, 10},
    /* away from the corner; castled */
    {"r3k3/8/8/8/8/8/8/1R2K2R w - - 0 1", "rooks moved", -10, 0},
    {"r3k3/8/8/8/8/8/8/1R3RK1 w - - 0 1", "rooks moved", 0, 0},
    {"rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 1", "queen moved", -10, 0},
    {"3qk3/8/8/8/8/8/Q7/4K3 w - - 0 1", "queen moved", 0, 0}, /* an endgame */
    {FEN_START, "king stuck", -5, -5},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "king stuck", 0, 0},
    /* not home and not castled, in the middle game */
    {"r1bq1rk1/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPPKPPP/R1BQ3R w - - 0 1", "king moved", -30, 0},
    {"4k3/8/8/8/8/4K3/8/8 w - - 0 1", "king moved", 0, 0},
    {"rnb1kbnr/pppp1ppp/8/4p3/4PP1q/8/PPPP2PP/RNBQKBNR w KQkq - 1 3", "check", 0, 75},
    /* fewer than ten pieces: 75, and 10 in each of two places of the listing */
    {"4k3/8/8/8/8/8/8/K3R3 b - - 0 1", "check", 75 + 10 + 10, 0},
    {"r1bq1rk1/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPPKPPP/R1BQ3R w - - 0 1", "castled", 0, 40},
    {FEN_START, "tempo", 10, 0},
    {"4k3/8/8/8/8/8/8/K3R3 b - - 0 1", "tempo", 0, 10},
};
/* clang-format on */

static void every_term(void **state)
{
    (void)state;
    evaluating_check(&chessbin_evaluator, rows, sizeof rows / sizeof *rows);
}

static void colours_are_equal(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1B1K2R b KQ - 3 9",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/P6k/8/8/1R6/8/p6K/8 b - - 0 60",
    };
    evaluating_check_mirror(&chessbin_evaluator, fens, 4);
}

/* The first two positions that the guide names: at the start only the move makes a difference. */
static void named_positions(void **state)
{
    (void)state;
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    Position start = evaluating_position(FEN_START);
    Position e4 =
        evaluating_position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    classic_eval_default_weights(&chessbin_evaluator, weights);
    assert_int_equal(classic_eval_score(&chessbin_evaluator, &start, weights), 10);
    /* For Black: his move 10. White: from -25 to 25 in the table, ten moves more; the pawn on e2
     * was defended by king, queen, bishop and knight (1 + 1 + 3 + 3), on e4 by nothing. The king
     * has one move, still less than two. */
    assert_int_equal(classic_eval_score(&chessbin_evaluator, &e4, weights), 10 - (50 + 10 - 8));
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_term),
        cmocka_unit_test(colours_are_equal),
        cmocka_unit_test(named_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
