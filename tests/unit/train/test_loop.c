#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "chess/attacks.h"
#include "train/loop_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char dir[64];

static int set_up(void **state)
{
    (void)state;
    chess_init();
    snprintf(dir, sizeof dir, "/tmp/test_loop.XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    return system(command);
}

/* Three finished generations, the second one refused, and a fourth under way. */
static LoopState sample(void)
{
    LoopState s = {.config = loop_defaults(), .champion = 3, .phase = LOOP_TRAIN};
    for (int i = 0; i < 4; i++)
        assert_int_equal(loop_state_add(&s, NULL), STATUS_OK);
    snprintf(s.config.start, sizeof s.config.start, "/a path/with blanks.nn");
    s.config.gate_clock.moves = 40;
    s.generations[0] =
        (LoopGeneration){.number = 1,
                         .accepted = true,
                         .games = 10,
                         .positions = 1000,
                         .trained_on = 700,
                         .loss = 0.0123456,
                         .held_out = -1,
                         .nodes = {.wins = 9, .losses = 1, .pairs = {0, 0, 1, 0, 4}},
                         .timed = {.wins = 6, .draws = 2, .losses = 2, .pairs = {0, 1, 1, 1, 2}}};
    s.generations[1].nodes = (StatsTally){.losses = 2, .pairs = {1}};
    s.generations[2].accepted = true;
    s.generations[2].timed = (StatsTally){.wins = 2, .pairs = {0, 0, 0, 0, 1}};
    return s;
}

static void test_round_trip(void **state)
{
    (void)state;
    LoopState s = sample(), read = {0};
    Message why = {""};
    assert_int_equal(loop_state_write(&s, dir, &why), STATUS_OK);
    if (loop_state_read(&read, dir, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    assert_memory_equal(&read.config, &s.config, sizeof s.config);
    assert_int_equal(read.champion, 3);
    assert_int_equal(read.phase, LOOP_TRAIN);
    assert_int_equal(read.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(read.generations[i].number, i + 1);
        assert_memory_equal(&read.generations[i].timed, &s.generations[i].timed,
                            sizeof(StatsTally));
        assert_memory_equal(&read.generations[i].nodes, &s.generations[i].nodes,
                            sizeof(StatsTally));
    }
    assert_true(fabs(read.generations[0].loss - 0.0123456) < 1e-9);
    loop_state_free(&s);
    loop_state_free(&read);
}

/* Cut anywhere, the state is refused and what was in memory stays. */
static void test_damage(void **state)
{
    (void)state;
    LoopState s = sample(), read = {0};
    char path[128], *text;
    size_t len;
    Message why;
    snprintf(path, sizeof path, "%s/state", dir);
    assert_int_equal(loop_state_write(&s, dir, &why), STATUS_OK);
    assert_int_equal(file_read(&text, &len, path, 1 << 20, &why), STATUS_OK);
    for (size_t cut = 0; cut + 1 < len; cut += 3) {
        assert_int_equal(file_write_atomic(path, text, cut, &why), STATUS_OK);
        if (cut < len - 4 && loop_state_read(&read, dir, &why) != STATUS_INVALID)
            fail_msg("a state of %zu bytes was read", cut);
        assert_int_equal(read.count, 0);
    }
    free(text);
    loop_state_free(&s);
    loop_state_free(&read);
}

static void test_elo(void **state)
{
    (void)state;
    LoopState s = sample();
    double error, first = loop_elo(&s, 0, &error);
    assert_true(fabs(first - stats_score_to_elo(0.7)) < 1e-9);
    assert_true(error > 0);
    /* Refused: below what was reached; taken after a clean sweep: a large step, but no infinity. */
    assert_true(loop_elo(&s, 1, &error) < first);
    assert_true(fabs(loop_elo(&s, 2, &error) - first - 800) < 1e-9);
    loop_state_free(&s);
}

static void test_picture(void **state)
{
    (void)state;
    LoopState s = sample();
    char path[128], *text;
    size_t len;
    Message why;
    snprintf(path, sizeof path, "%s/elo.svg", dir);
    assert_int_equal(loop_draw(&s, dir, &why), STATUS_OK);
    assert_int_equal(file_read(&text, &len, path, 1 << 20, &why), STATUS_OK);
    int circles = 0;
    for (const char *at = text; (at = strstr(at, "<circle")); at++)
        circles++;
    assert_int_equal(circles, 1 + 3); /* where the loop began, and three finished generations */
    assert_non_null(strstr(text, "refused"));
    assert_non_null(strstr(text, "</svg>"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    loop_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_elo),
        cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
