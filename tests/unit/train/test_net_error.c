/* Errors and changes of evaluations, from scores whose answers are known. */
#include "train/net_error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SCALE = 120, NETS = 3 };

static NetError *open_errors(int nets)
{
    NetError *e = NULL;
    Message why;
    assert_int_equal(net_error_new(&e, nets, SCALE, &why), STATUS_OK);
    return e;
}

static void add(NetError *e, int pieces, double reference, const Score *scores)
{
    Message why;
    assert_int_equal(net_error_add(e, pieces, reference, scores, &why), STATUS_OK);
}

static void assert_near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%g is not %g", value, wanted);
}

/* Net 0 would need 2,400, net 1 12. Net 2 has the wrong sign: the less its scores mean the better.
 */
static void keeps_scales_within_limits(void **state)
{
    (void)state;
    NetError *e = open_errors(NETS);
    for (int x = -300; x <= 300; x++)
        add(e, 2 + (x + 300) % 31, x, (const Score[]){20 * x, x / 10, -x});
    for (int group = 0; group <= NET_ERROR_ALL; group++) {
        assert_near(net_error_fit(e, 0, group).scale, NET_ERROR_SCALE_MAX, 0.1);
        assert_near(net_error_fit(e, 1, group).scale, NET_ERROR_SCALE_MIN, 0.1);
        assert_near(net_error_fit(e, 2, group).scale, NET_ERROR_SCALE_MAX, 0.1);
    }
    net_error_free(e);
}

/* A net whose scores are multiples of the reference's has no error at its scale. */
static void finds_scales_of_groups(void **state)
{
    (void)state;
    static const int factors[NET_ERROR_GROUPS] = {1, 2, 3, 4};
    NetError *e = open_errors(1);
    for (int pieces = 2; pieces <= 32; pieces++)
        for (int x = -400; x <= 400; x += 10) {
            int group = pieces < 10 ? 0 : pieces < 18 ? 1 : pieces < 26 ? 2 : 3;
            add(e, pieces, x, &(Score){factors[group] * x});
        }
    for (int group = 0; group < NET_ERROR_GROUPS; group++) {
        NetErrorFit fit = net_error_fit(e, 0, group);
        assert_near(fit.scale, SCALE * factors[group], 0.1);
        assert_near(fit.error, 0, 1e-8);
        assert_int_equal(net_error_count(e, group), 81 * (group == 3 ? 7 : 8));
    }
    NetErrorFit all = net_error_fit(e, 0, NET_ERROR_ALL);
    assert_true(all.error > 1e-3 && all.scale > SCALE && all.scale < 4 * SCALE);
    assert_int_equal(net_error_count(e, NET_ERROR_ALL), 81 * 31);
    net_error_free(e);
}

/* The error is the mean square of the differences between expected scores: here 0.5 against
 * 1 / (1 + exp(-1)), and against its mirror image. */
static void measures_expected_scores(void **state)
{
    (void)state;
    NetError *e = open_errors(1);
    double difference = 1 / (1 + exp(-1)) - 0.5;
    add(e, 10, SCALE, &(Score){0});
    add(e, 10, -SCALE, &(Score){0});
    assert_near(net_error_fit(e, 0, NET_ERROR_ALL).error, difference * difference, 1e-12);
    net_error_free(e);
}

static double score_of(double expected)
{
    return -SCALE * log(1 / expected - 1);
}

/* Net 0 expects 0.5 everywhere. Net 1 goes a third of the way to the reference, so that 3 times its
 * change would be best. Net 2 adds as much noise, with no part in that direction: this halves the
 * sound part of its change. */
static void measures_changes(void **state)
{
    (void)state;
    static const double ways[4] = {0.3, 0.3, -0.3, -0.3}, noises[4] = {0.1, -0.1, 0.1, -0.1};
    NetError *e = open_errors(4);
    for (int i = 0; i < 4; i++) {
        Score third = (Score)lround(score_of(0.5 + ways[i] / 3));
        Score noisy = (Score)lround(score_of(0.5 + ways[i] / 3 + noises[i]));
        add(e, 20, score_of(0.5 + ways[i]), (const Score[]){0, third, noisy, 0});
    }
    NetErrorChange third = net_error_change(e, 1, SCALE), noisy = net_error_change(e, 2, SCALE);
    NetErrorChange none = net_error_change(e, 3, SCALE);
    assert_near(third.rms, 0.1, 0.002);
    assert_near(third.slope, 1.0 / 3, 0.005);
    assert_near(third.sound, 3, 0.05);
    assert_near(noisy.rms, 0.1 * sqrt(2), 0.002);
    assert_near(noisy.slope, 1.0 / 3, 0.005);
    assert_near(noisy.sound, 1.5, 0.03);
    assert_true(none.rms == 0 && none.slope == 0 && isnan(none.sound));
    net_error_free(e);
}

/* Nothing is left to improve: no share of nothing. */
static void says_when_there_is_no_way(void **state)
{
    (void)state;
    NetError *e = open_errors(2);
    add(e, 20, 0, (const Score[]){0, 50});
    NetErrorChange change = net_error_change(e, 1, SCALE);
    assert_true(isnan(change.slope) && change.sound == 0 && change.rms > 0);
    net_error_free(e);
    net_error_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_scales_within_limits), cmocka_unit_test(finds_scales_of_groups),
        cmocka_unit_test(measures_expected_scores),   cmocka_unit_test(measures_changes),
        cmocka_unit_test(says_when_there_is_no_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
