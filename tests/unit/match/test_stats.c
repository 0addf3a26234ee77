#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/stats.h"

#include <math.h>

static void near(double got, double want, double within)
{
    if (!(fabs(got - want) <= within))
        fail_msg("%.6f, not %.6f +- %g", got, want, within);
}

/* Single games of pairs: what the pentanomial does not tell does not matter for the figures. */
static StatsTally of_pairs(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
    return (StatsTally){
        .wins = e * 2 + d, .losses = a * 2 + b, .draws = b + 2 * c + d, .pairs = {a, b, c, d, e}};
}

/* By hand: 4 pairs scoring 0.25, 0.5, 0.75, 1 have mean 5/8 and variance 5/64. */
static void test_by_hand(void **state)
{
    (void)state;
    StatsTally t = of_pairs(0, 1, 1, 1, 1);
    StatsSummary s = stats_summary(&t);
    assert_int_equal(s.games, 8);
    assert_int_equal(s.pairs, 4);
    near(s.score, 0.625, 1e-12);
    near(s.elo, 400 * log10(5.0 / 3), 1e-9);
    double reach = 1.959963984540054 * sqrt(5.0 / 256);
    near(s.elo_error,
         200 *
             (log10((0.625 + reach) / (0.375 - reach)) - log10((0.625 - reach) / (0.375 + reach))),
         1e-9);
    near(s.nelo, 0.125 / sqrt(10.0 / 64) * 800 / log(10), 1e-9);
    near(s.nelo_error, 1.959963984540054 * 800 / log(10) / sqrt(8), 1e-9);
    near(s.los, 0.5 * (1 + erf(0.125 / sqrt(2.0 * 5 / 256))), 1e-12);
}

static void test_single_games(void **state)
{
    (void)state;
    StatsTally t = {.wins = 136, .losses = 96, .draws = 111};
    StatsSummary s = stats_summary(&t);
    near(s.elo, 40.70, 0.005);
    near(s.elo_error, 30.43, 0.005);
    near(s.nelo, 49.77, 0.005);
    near(s.nelo_error, 36.77, 0.005);
    near(s.los, 0.9960, 0.00005);
    near(s.draw_ratio, 111.0 / 343, 1e-12);
}

/* Figures that fastchess's own tests expect of it. */
static void test_pairs_against_fastchess(void **state)
{
    (void)state;
    static const struct {
        uint64_t pairs[STATS_PAIR_KINDS];
        double elo, error, nelo, nelo_error;
    } rows[] = {
        {{34, 54, 63, 64, 75}, 55.58, 27.65, 57.94, 28.28},
        {{332, 433, 498, 333, 334}, -8.64, 10.33, -9.17, 10.96},
        {{7895, 8757, 5685, 568, 9999}, -21.04, 2.95, -19.01, 2.65},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t *p = rows[i].pairs;
        StatsTally t = of_pairs(p[0], p[1], p[2], p[3], p[4]);
        StatsSummary s = stats_summary(&t);
        near(s.elo, rows[i].elo, 0.006);
        near(s.elo_error, rows[i].error, 0.006);
        near(s.nelo, rows[i].nelo, 0.006);
        near(s.nelo_error, rows[i].nelo_error, 0.006);
    }
}

static void test_llr_against_fastchess(void **state)
{
    (void)state;
    StatsTally t = of_pairs(365, 16618, 36229, 16974, 390);
    near(stats_llr(&t, 0, 2), 2.25, 0.006);
    t = of_pairs(127, 4883, 10712, 5150, 104);
    near(stats_llr(&t, -1.75, 0.25), 3.01, 0.006);
    t = of_pairs(0, 0, 0, 0, 5550);
    near(stats_llr(&t, 0, 5), 111.82, 0.05); /* its own test allows one percent */
}

/* A match of 120 games that fastchess ran and judged (2026-11-15: 1,500 against 1,100 nodes): what
 * it printed, digit for digit. */
static void test_a_match_of_fastchess(void **state)
{
    (void)state;
    StatsTally t = {.wins = 70, .losses = 31, .draws = 19, .pairs = {4, 3, 21, 14, 18}};
    StatsSummary s = stats_summary(&t);
    near(s.elo, 117.16, 0.005);
    near(s.elo_error, 57.30, 0.005);
    near(s.nelo, 138.60, 0.005);
    near(s.nelo_error, 62.16, 0.005);
    near(s.score, 0.6625, 1e-9);
    near(stats_llr(&t, 0, 20), 2.15, 0.005);
}

/* The ratio is a difference of two terms, so swapping hypotheses or colours turns its sign. */
static void test_llr_symmetry(void **state)
{
    (void)state;
    StatsTally t = of_pairs(10, 40, 80, 60, 25), turned = of_pairs(25, 60, 80, 40, 10);
    double llr = stats_llr(&t, 0, 10);
    assert_true(llr > 0.5);
    near(stats_llr(&t, 10, 0), -llr, 1e-9);
    near(stats_llr(&turned, 0, -10), llr, 1e-6);
    near(stats_llr(&t, 3, 3), 0, 1e-9);
}

static void test_verdicts(void **state)
{
    (void)state;
    StatsSprt s = {0, 10, 0.05, 0.05};
    near(stats_sprt_upper(&s), log(19), 1e-12);
    near(stats_sprt_lower(&s), -log(19), 1e-12);
    StatsTally none = {0}, good = of_pairs(10, 200, 500, 400, 60),
               bad = of_pairs(60, 400, 500, 200, 10);
    assert_int_equal(stats_verdict(&none, &s), STATS_UNDECIDED);
    assert_int_equal(stats_verdict(&good, &s), STATS_ACCEPTED);
    assert_int_equal(stats_verdict(&bad, &s), STATS_REJECTED);
}

static void test_extremes(void **state)
{
    (void)state;
    StatsTally none = {0};
    assert_int_equal(stats_summary(&none).games, 0);
    StatsTally won = of_pairs(0, 0, 0, 0, 3), even = of_pairs(0, 0, 3, 0, 0);
    StatsSummary s = stats_summary(&won);
    assert_true(isinf(s.elo) && s.elo > 0 && isinf(s.elo_error));
    near(s.los, 1, 0);
    s = stats_summary(&even);
    near(s.elo, 0, 1e-12);
    assert_true(isinf(s.elo_error)); /* three equal pairs do not tell how pairs differ */
    near(s.los, 0.5, 0);
    assert_true(isfinite(stats_llr(&won, 0, 5)) && isfinite(stats_llr(&even, 0, 5)));
    /* Absurd hypotheses give a number, too. */
    assert_false(isnan(stats_llr(&even, -5000, 5000)));
    near(stats_score_to_elo(1 / (1 + pow(10, -123.0 / 400))), 123, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_single_games),
        cmocka_unit_test(test_pairs_against_fastchess),
        cmocka_unit_test(test_llr_against_fastchess),
        cmocka_unit_test(test_a_match_of_fastchess),
        cmocka_unit_test(test_llr_symmetry),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
