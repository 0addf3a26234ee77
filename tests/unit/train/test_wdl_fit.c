/* The curve from scores to results is found again in what it would bring about. */
#include "train/wdl_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { EACH = 40 }; /* positions at a place of the table */

static void add_many(WdlCounts *c, int points, Score s, Outcome outcome, double share)
{
    for (long i = lround(share * EACH); i > 0; i--)
        wdl_counts_add(c, points, s, outcome);
}

static WdlCounts *counts_from(const WdlCurve *curve)
{
    WdlCounts *c = wdl_counts_new();
    assert_non_null(c);
    for (int points = WDL_POINTS_MIN; points <= WDL_POINTS_MAX; points++)
        for (Score s = -796; s < 800; s += 8) {
            double win = wdl_win(curve, points, s), loss = wdl_win(curve, points, -s);
            add_many(c, points, s, OUTCOME_WON, win);
            add_many(c, points, s, OUTCOME_LOST, loss);
            add_many(c, points, s, OUTCOME_DRAWN, 1 - win - loss);
        }
    return c;
}

static void assert_same_curve(const WdlCurve *one, const WdlCurve *other)
{
    for (int points = WDL_POINTS_MIN; points <= WDL_POINTS_MAX; points++)
        for (Score s = -500; s <= 500; s += 50)
            assert_true(fabs(wdl_win(one, points, s) - wdl_win(other, points, s)) < 0.02);
}

static void finds_the_curve_again(void **state)
{
    (void)state;
    const WdlCurve curves[] = {wdl_curve(), {{-60, 90, 120}, {10, -30, 90}}};
    for (int i = 0; i < 2; i++) {
        WdlCounts *c = counts_from(&curves[i]);
        WdlFit fit;
        Message why;
        assert_int_equal(wdl_fit(c, &fit, &why), STATUS_OK);
        assert_same_curve(&fit.curve, &curves[i]);
        assert_true(fit.log_loss <= fit.present_log_loss + 1e-6);
        assert_true(i == 0 || fit.log_loss < fit.present_log_loss - 0.005);
        wdl_counts_free(c);
    }
}

/* Who is lost at -300 is who wins at 300. */
static void turns_scores_around(void **state)
{
    (void)state;
    WdlFit fit[2];
    Message why;
    for (int turned = 0; turned <= 1; turned++) {
        WdlCounts *c = wdl_counts_new();
        for (int i = 0; i < 3000; i++) {
            Score s = i % 600;
            Outcome outcome = s > 150 + i % 7 * 20 ? OUTCOME_WON : OUTCOME_DRAWN;
            wdl_counts_add(c, 20 + i % 50, turned ? -s : s,
                           turned ? (Outcome)(OUTCOME_WON - outcome) : outcome);
        }
        assert_int_equal(wdl_fit(c, &fit[turned], &why), STATUS_OK);
        wdl_counts_free(c);
    }
    assert_memory_equal(&fit[0].curve, &fit[1].curve, sizeof fit[0].curve);
}

static void wants_enough(void **state)
{
    (void)state;
    WdlCounts *c = wdl_counts_new();
    WdlFit fit;
    Message why;
    for (int i = 0; i < 5000; i++)
        wdl_counts_add(c, 40, 1000 + i, OUTCOME_WON); /* all too far ahead to tell anything */
    assert_int_equal(wdl_fit(c, &fit, &why), STATUS_INVALID);
    assert_non_null(strstr(why.text, "too few"));
    wdl_counts_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_curve_again),
        cmocka_unit_test(turns_scores_around),
        cmocka_unit_test(wants_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
