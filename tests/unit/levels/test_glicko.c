/* Glicko-2 against the worked example of Glickman's paper, and the opponent that
 * follows a player. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "levels/level.h"
#include "levels/rating/adapt.h"

#include <math.h>

static void assert_near(double a, double b, double by)
{
    if (!(fabs(a - b) <= by))
        fail_msg("%f is not %f +- %f", a, b, by);
}

static void the_worked_example(void **state)
{
    (void)state;
    const GlickoGame games[] = {{1400, 30, 1}, {1550, 100, 0}, {1700, 300, 0}};
    Glicko g = glicko_update((Glicko){1500, 200, 0.06}, games, 3);
    assert_near(g.rating, 1464.06, 0.02);
    assert_near(g.deviation, 151.52, 0.01);
    assert_near(g.volatility, 0.05999, 0.00001);
}

static void without_games_only_doubt_grows(void **state)
{
    (void)state;
    Glicko g = glicko_update((Glicko){1500, 200, 0.06}, NULL, 0);
    assert_near(g.rating, 1500, 1e-9);
    assert_near(g.deviation, 200.2714, 0.001);
    g.deviation = 350;
    assert_near(glicko_update(g, NULL, 0).deviation, 350, 1e-9);
}

static void no_rating_is_below_the_floor(void **state)
{
    (void)state;
    Glicko g = glicko_start(ADAPT_FIRST_ELO);
    for (int i = 0; i < 20; i++) {
        adapt_result(&g, LEVEL_MIN_ELO, 0);
        assert_true(g.rating >= GLICKO_FLOOR);
    }
    g = glicko_update((Glicko){150, 350, 0.06}, &(GlickoGame){100, 50, 0}, 1);
    assert_near(g.rating, GLICKO_FLOOR, 1e-9);
}

static void wishes_are_read(void **state)
{
    (void)state;
    AdaptWish w;
    Message why;
    assert_int_equal(adapt_parse(&w, span_of("1500"), &why), STATUS_OK);
    assert_false(w.adapts);
    assert_int_equal(w.elo, 1500);
    assert_int_equal(adapt_parse(&w, span_of("adapt"), &why), STATUS_OK);
    assert_true(w.adapts && w.offset == 0);
    assert_int_equal(adapt_parse(&w, span_of("Adapt+100"), &why), STATUS_OK);
    assert_true(w.adapts && w.offset == 100);
    assert_int_equal(adapt_parse(&w, span_of("adapt-250"), &why), STATUS_OK);
    assert_true(w.adapts && w.offset == -250);
    const char *const wrong[] = {"",        "399",     "3001",        "adapt+", "adapt100",
                                 "adapted", "adapt+x", "adapt+99999", "1500x",  "ada"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(adapt_parse(&w, span_of(wrong[i]), &why), STATUS_INVALID);
}

static void levels_stay_in_their_range(void **state)
{
    (void)state;
    assert_int_equal(adapt_level(glicko_start(1234.6), 100), 1335);
    assert_int_equal(adapt_level(glicko_start(100), 0), LEVEL_MIN_ELO);
    assert_int_equal(adapt_level(glicko_start(2950), 200), LEVEL_MAX_ELO);
    assert_int_equal(adapt_level(glicko_start(NAN), 0), LEVEL_MIN_ELO);
}

/* Up to 1800 levels are closer together than their numbers, so that a rating goes farther. */
static void ratings_go_farther_where_levels_are_close(void **state)
{
    (void)state;
    for (int elo = 1000; elo <= 2200; elo += 1200) {
        Glicko plain = glicko_start(elo), follows = plain;
        plain = glicko_update(plain, &(GlickoGame){elo, 50, 1}, 1);
        adapt_result(&follows, elo, 1);
        double change = (follows.rating - elo) / (plain.rating - elo);
        assert_true(fabs(change - (elo < 1800 ? 5.0 / 3 : 1)) < 1e-9);
    }
}

/* Players of fixed strength whose results follow the win curve; `make adaptation` plays real games.
 * The score of the games after the twelfth, over many players. */
static double settled_score(double strength, double start, Random *random)
{
    enum { PLAYERS = 200, SETTLING = 12, GAMES = 36 };
    double points = 0;
    for (int p = 0; p < PLAYERS; p++) {
        Glicko g = glicko_start(start);
        for (int i = 0; i < GAMES; i++) {
            int level = adapt_level(g, 0);
            double score = random_unit(random) < 1 / (1 + pow(10, (level - strength) / 400));
            points += i >= SETTLING ? score : 0;
            adapt_result(&g, level, score);
        }
    }
    return points / (PLAYERS * (GAMES - SETTLING));
}

static void twelve_games_find_an_equal(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 5);
    for (int strength = 600; strength <= 2400; strength += 300)
        for (int side = -1; side <= 1; side += 2)
            assert_near(settled_score(strength, strength + side * 600, &random), 0.5, 0.07);
}

/* Whoever resigns the first game against the weakest level is no beginner yet. */
static void one_game_decides_little(void **state)
{
    (void)state;
    Glicko g = glicko_start(ADAPT_FIRST_ELO);
    adapt_result(&g, LEVEL_MIN_ELO, 0);
    assert_true(g.rating >= ADAPT_FIRST_ELO - 400);
    assert_true(g.rating < ADAPT_FIRST_ELO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_game_decides_little),
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(without_games_only_doubt_grows),
        cmocka_unit_test(no_rating_is_below_the_floor),
        cmocka_unit_test(wishes_are_read),
        cmocka_unit_test(levels_stay_in_their_range),
        cmocka_unit_test(ratings_go_farther_where_levels_are_close),
        cmocka_unit_test(twelve_games_find_an_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
