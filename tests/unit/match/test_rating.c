/* Ratings by maximum likelihood: where the answer is known, and where the results alone say
 * nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "match/rating.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void assert_near(double a, double b, double by)
{
    if (!(fabs(a - b) <= by))
        fail_msg("%f is not %f +- %f", a, b, by);
}

static RatingTable table_of(int players)
{
    RatingTable t;
    Message why;
    assert_int_equal(rating_init(&t, &why), STATUS_OK);
    for (int i = 0; i < players; i++) {
        char name[16];
        int index;
        snprintf(name, sizeof name, "p%d", i);
        assert_int_equal(rating_player(&t, span_of(name), &index, &why), STATUS_OK);
        assert_int_equal(index, i);
    }
    return t;
}

static void add_results(RatingTable *t, int a, int b, int wins, int draws, int losses)
{
    for (int i = 0; i < wins; i++)
        rating_add(t, a, b, 2);
    for (int i = 0; i < draws; i++)
        rating_add(t, b, a, 1);
    for (int i = 0; i < losses; i++)
        rating_add(t, b, a, 2);
}

static void two_players_have_the_difference_of_their_score(void **state)
{
    (void)state;
    RatingTable t = table_of(2);
    rating_anchor(&t, 0, 2000);
    add_results(&t, 1, 0, 7000, 1000, 2000); /* 75 % */
    Message why;
    assert_int_equal(rating_fit(&t, &why), STATUS_OK);
    assert_near(t.players[0].rating, 2000, 1e-6);
    assert_near(t.players[1].rating, 2000 + 190.85, 0.2);
    /* 1.96 standard errors of 10000 games at 75 %, in Elo */
    assert_near(t.players[1].error, 1.96 * 173.7178 / sqrt(10000 * 0.75 * 0.25), 0.05);
    assert_int_equal(t.players[1].games, 10000);
    rating_free(&t);
}

static void a_ladder_is_found_again(void **state)
{
    (void)state;
    enum { COUNT = 12, GAMES = 2000 };
    RatingTable t = table_of(COUNT);
    Random random;
    random_seed(&random, 9);
    for (int a = 0; a < COUNT; a++)
        for (int b = a + 1; b < COUNT && b <= a + 2; b++)
            for (int i = 0; i < GAMES; i++)
                rating_add(&t, a, b,
                           random_unit(&random) < 1 / (1 + pow(10, (b - a) * 150 / 400.0)) ? 2 : 0);
    rating_anchor(&t, 5, 1500 + 5 * 150);
    Message why;
    assert_int_equal(rating_fit(&t, &why), STATUS_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_near(t.players[i].rating, 1500 + i * 150, 60);
        assert_true(t.players[i].error < 60);
    }
    rating_free(&t);
}

static void perfect_scores_stay_finite(void **state)
{
    (void)state;
    RatingTable t = table_of(4);
    add_results(&t, 0, 1, 10, 0, 0);
    add_results(&t, 2, 2, 5, 0, 0); /* against himself: nothing */
    Message why;
    assert_int_equal(rating_fit(&t, &why), STATUS_OK);
    for (int i = 0; i < t.count; i++)
        assert_true(isfinite(t.players[i].rating) && isfinite(t.players[i].error));
    assert_true(t.players[0].rating > t.players[1].rating + 300);
    assert_near(t.players[2].rating, RATING_MEAN, 1);
    assert_int_equal(t.players[2].games, 0);
    rating_free(&t);
}

static void tables_tell_the_strongest_first(void **state)
{
    (void)state;
    RatingTable t = table_of(2);
    add_results(&t, 1, 0, 3, 2, 1);
    Message why;
    assert_int_equal(rating_fit(&t, &why), STATUS_OK);
    Text out;
    text_init(&out);
    rating_report(&t, &out);
    assert_true(strstr(out.at, "p1") < strstr(out.at, "p0"));
    text_clear(&out);
    rating_crosstable(&t, &out);
    assert_non_null(strstr(out.at, "67 % (6)"));
    assert_non_null(strstr(out.at, "33 % (6)"));
    text_free(&out);
    rating_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_players_have_the_difference_of_their_score),
        cmocka_unit_test(a_ladder_is_found_again),
        cmocka_unit_test(perfect_scores_stay_finite),
        cmocka_unit_test(tables_tell_the_strongest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
