/* How long a level seems to think: by rating, by how many moves look good, for recaptures and
 * forced moves, and with little time left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "levels/level_int.h"

#include <string.h>

enum { SEEDS = 400, MIDDLE_GAME = 40 };

/* A move that is thought about; `limits` and the rest are what the clock looks at. */
typedef struct Moment {
    Level level;
    Position position;
    SearchLimits limits;
    OpponentTask task;
    LevelThought thought;
} Moment;

static void usual(Moment *m, int elo)
{
    memset(m, 0, sizeof *m);
    m->level.elo = elo;
    m->position.game_ply = MIDDLE_GAME;
    m->task = (OpponentTask){.position = &m->position, .limits = &m->limits};
    m->thought = (LevelThought){
        .task = &m->task, .level = &m->level, .last_to = SQ_NONE, .legal = 30, .close = 3};
}

/* The average over many games. */
static double mean_ms(Moment *m)
{
    double sum = 0;
    for (m->thought.seed = 0; m->thought.seed < SEEDS; m->thought.seed++)
        sum += (double)level_think_ms(&m->thought);
    return sum / SEEDS;
}

static double with_close(int elo, int close)
{
    Moment m;
    usual(&m, elo);
    m.thought.close = close;
    return mean_ms(&m);
}

static void obvious_moves_are_quick(void **state)
{
    (void)state;
    for (int elo = 400; elo <= 3000; elo += 400) {
        Moment middle, opening, recapture, forced;
        usual(&middle, elo);
        usual(&opening, elo);
        usual(&recapture, elo);
        usual(&forced, elo);
        opening.position.game_ply = 4;
        recapture.thought.last_to = move_to(recapture.thought.line.pv[0]);
        forced.thought.legal = 1;
        assert_true(mean_ms(&opening) < 0.6 * mean_ms(&middle));
        assert_true(mean_ms(&recapture) < 0.6 * mean_ms(&middle));
        assert_true(mean_ms(&forced) < 0.8 * mean_ms(&recapture));
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
        Moment m;
        usual(&m, 1200);
        m.limits = (SearchLimits){.has_clock = {true, true}, .clock_ms = {clock, clock}};
        double ms = mean_ms(&m);
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
                Moment m;
                usual(&m, elo);
                m.limits = (SearchLimits){.has_clock = {true, true}, .clock_ms = {clock, clock}};
                m.position.game_ply = 2 * move;
                m.thought.close = 1 + (int)(move % 6);
                m.thought.seed = seed * 100 + move;
                clock -= level_think_ms(&m.thought);
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
