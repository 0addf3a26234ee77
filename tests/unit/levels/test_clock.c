/* How long a level seems to think: by rating, by how many moves look good, for recaptures and
 * forced moves, and with little time left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "levels/level_int.h"

enum { SEEDS = 400, MIDDLE_GAME = 40 };

static const SearchLimits no_clock;

static LevelMoment usual(int elo)
{
    return (LevelMoment){
        .elo = elo, .legal = 30, .close = 3, .game_ply = MIDDLE_GAME, .limits = &no_clock};
}

/* The average over many games. */
static double mean_ms(LevelMoment m)
{
    double sum = 0;
    for (m.seed = 0; m.seed < SEEDS; m.seed++)
        sum += (double)level_think_ms(&m);
    return sum / SEEDS;
}

static double with_close(int elo, int close)
{
    LevelMoment m = usual(elo);
    m.close = close;
    return mean_ms(m);
}

static void obvious_moves_are_quick(void **state)
{
    (void)state;
    for (int elo = 400; elo <= 3000; elo += 400) {
        LevelMoment middle = usual(elo), opening = middle, recapture = middle, forced = middle;
        opening.game_ply = 4;
        recapture.recapture = true;
        forced.legal = 1;
        assert_true(mean_ms(opening) < 0.6 * mean_ms(middle));
        assert_true(mean_ms(recapture) < 0.6 * mean_ms(middle));
        assert_true(mean_ms(forced) < 0.8 * mean_ms(recapture));
    }
}

static void experts_think_where_there_is_a_choice(void **state)
{
    (void)state;
    double last = 1;
    for (int elo = 400; elo <= 2000; elo += 400) {
        double more = with_close(elo, 6) / with_close(elo, 1);
        assert_true(more > last + 0.1);
        last = more;
    }
    assert_true(with_close(2000, 1) < with_close(400, 1));
    assert_true(with_close(2000, 6) > with_close(400, 6));
    double beginner = with_close(400, 3), expert = with_close(2000, 3);
    assert_true(expert > 0.9 * beginner && expert < 1.1 * beginner);
}

static void less_time_means_faster_moves(void **state)
{
    (void)state;
    double last = 0;
    for (int64_t clock = 10000; clock <= 640000; clock *= 2) {
        SearchLimits l = {.has_clock = {true, true}, .clock_ms = {clock, clock}};
        LevelMoment m = usual(1200);
        m.limits = &l;
        double ms = mean_ms(m);
        assert_true(ms > last && ms < (double)clock / 20);
        last = ms;
    }
}

/* A whole game at the same pace leaves time on the clock. */
static void a_game_fits_its_time_control(void **state)
{
    (void)state;
    for (int elo = 400; elo <= 2800; elo += 800)
        for (uint64_t seed = 0; seed < 50; seed++) {
            int64_t clock = 180000;
            for (unsigned move = 0; move < 80; move++) {
                SearchLimits l = {.has_clock = {true, true}, .clock_ms = {clock, clock}};
                LevelMoment m = usual(elo);
                m.limits = &l;
                m.game_ply = 2 * move;
                m.close = 1 + (int)(move % 6);
                m.seed = seed * 100 + move;
                clock -= level_think_ms(&m);
            }
            assert_in_range(clock, 5000, 120000);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obvious_moves_are_quick),
        cmocka_unit_test(experts_think_where_there_is_a_choice),
        cmocka_unit_test(less_time_means_faster_moves),
        cmocka_unit_test(a_game_fits_its_time_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
