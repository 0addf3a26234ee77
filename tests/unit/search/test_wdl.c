/* The meaning of scores: monotone, complete, the same from both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "eval/nnue/net.h"
#include "search/wdl.h"

#include <math.h>

static const char *const fens[] = {
    FEN_START,
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
    "3r2k1/pp3ppp/2n5/8/8/2N2N2/PP3PPP/3R2K1 w - - 0 24",
    "8/5pk1/6p1/8/8/6P1/5PK1/3R4 b - - 3 60",
    "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
};
enum { FENS = sizeof fens / sizeof *fens };

static void shares_sum_and_grow(void **state)
{
    (void)state;
    for (int i = 0; i < FENS; i++) {
        Position p = position_of(fens[i]);
        Wdl last = {0, 0, 1000};
        int cp = score_to_cp(-SCORE_EVAL_MAX, &p);
        for (Score s = -SCORE_EVAL_MAX; s <= SCORE_EVAL_MAX; s += s > -2000 && s < 2000 ? 1 : 500) {
            Wdl w = wdl_of(s, &p), other = wdl_of(-s, &p);
            assert_int_equal(w.win + w.draw + w.loss, 1000);
            assert_true(w.win >= last.win && w.loss <= last.loss);
            assert_true(w.win >= 0 && w.draw >= 0 && w.loss >= 0);
            assert_true(w.win == other.loss && w.draw == other.draw && w.loss == other.win);
            assert_true(score_to_cp(s, &p) >= cp);
            assert_int_equal(score_to_cp(-s, &p), -score_to_cp(s, &p));
            cp = score_to_cp(s, &p);
            last = w;
        }
        assert_int_equal(score_to_cp(0, &p), 0);
    }
}

/* 100 centipawns are a win in every second game. */
static void a_hundred_wins_half(void **state)
{
    (void)state;
    for (int i = 0; i < FENS; i++) {
        Position p = position_of(fens[i]);
        Score s = 0;
        while (score_to_cp(s, &p) < 100)
            s++;
        assert_in_range(wdl_of(s, &p).win, 480, 520);
        /* Even positions are drawn more often than won. */
        assert_true(wdl_of(0, &p).draw > wdl_of(0, &p).win);
    }
}

static void proven_scores_are_certain(void **state)
{
    (void)state;
    Position p = position_of(FEN_START);
    static const Score wins[] = {SCORE_TB_MIN, SCORE_TB_WIN, SCORE_MATE_MIN, SCORE_MATE - 1};
    int last = score_to_cp(SCORE_EVAL_MAX, &p);
    for (size_t i = 0; i < sizeof wins / sizeof *wins; i++) {
        assert_int_equal(wdl_of(wins[i], &p).win, 1000);
        assert_int_equal(wdl_of(-wins[i], &p).loss, 1000);
        assert_true(score_to_cp(wins[i], &p) > last);
        last = score_to_cp(wins[i], &p);
    }
}

/* The model is that of the net in the program; a model without sense is recognised. */
static void the_model_comes_with_the_net(void **state)
{
    (void)state;
    NetWdl model = net_embedded_wdl();
    WdlCurve curve = wdl_curve();
    assert_true(net_wdl_fits(&model));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lround(1000 * curve.a[i]), model.a[i]);
        assert_int_equal(lround(1000 * curve.b[i]), model.b[i]);
    }
    NetWdl bad = model;
    bad.a[2] = -1000000;
    assert_false(net_wdl_fits(&bad));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_comes_with_the_net),
        cmocka_unit_test(shares_sum_and_grow),
        cmocka_unit_test(a_hundred_wins_half),
        cmocka_unit_test(proven_scores_are_certain),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
