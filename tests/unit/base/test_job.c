/* Work with a stop flag that signals and a time limit set, and work in parts. */
#include "base/job.h"

#include "base/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

/* What the tick does, in the job's own thread. */
typedef struct Count {
    atomic_int ticks;
    bool interrupt; /* at the first one */
} Count;

static void on_tick(void *user)
{
    Count *c = user;
    if (atomic_fetch_add(&c->ticks, 1) == 0 && c->interrupt)
        kill(getpid(), SIGTERM);
}

static void test_result_and_ticks(void **state)
{
    (void)state;
    Count c = {0};
    Job job;
    Message why;
    job_begin(&job, 0, on_tick, &c);
    while (atomic_load(&c.ticks) < 3)
        clock_sleep_ms(1);
    assert_false(atomic_load(&job.stop));
    assert_int_equal(job_end(&job, STATUS_OK, &why), STATUS_OK);
}

static void test_failure(void **state)
{
    (void)state;
    Job job;
    Message why = {"no work"};
    job_begin(&job, 0, NULL, NULL);
    assert_int_equal(job_end(&job, STATUS_IO, &why), STATUS_IO);
    assert_string_equal(why.text, "no work");
}

static void test_interrupt(void **state)
{
    (void)state;
    Count c = {.interrupt = true};
    Job job;
    Message why;
    job_begin(&job, 0, on_tick, &c);
    while (!atomic_load(&job.stop))
        clock_sleep_ms(1);
    assert_int_equal(job_end(&job, STATUS_OK, &why), STATUS_STOPPED);
    assert_string_equal(why.text, "interrupted");
}

static void test_limit(void **state)
{
    (void)state;
    Job job;
    Message why;
    job_begin(&job, 20, NULL, NULL);
    while (!atomic_load(&job.stop))
        clock_sleep_ms(1);
    assert_int_equal(job_end(&job, STATUS_OK, &why), STATUS_OK);
}

enum { PARTS = 100, BAD_PART = 40 };

typedef struct Parts {
    atomic_int done[PARTS];
    int bad; /* the part that fails */
    atomic_bool stop;
    int stop_at;
} Parts;

static Status do_part(void *user, int index, Message *why)
{
    Parts *p = user;
    atomic_fetch_add(&p->done[index], 1);
    if (index == p->stop_at)
        atomic_store(&p->stop, true);
    return index == p->bad ? status_fail(why, STATUS_IO, "part %d", index) : STATUS_OK;
}

static int parts_done(Parts *p)
{
    int sum = 0;
    for (int i = 0; i < PARTS; i++) {
        assert_true(atomic_load(&p->done[i]) <= 1);
        sum += atomic_load(&p->done[i]);
    }
    return sum;
}

static void test_parts(void **state)
{
    (void)state;
    Message why;
    for (int threads = 1; threads <= 4; threads++) {
        Parts all = {.bad = -1, .stop_at = -1}, bad = all, stopped = all;
        assert_int_equal(job_parts(do_part, &all, PARTS, threads, &all.stop, &why), STATUS_OK);
        assert_int_equal(parts_done(&all), PARTS);
        bad.bad = BAD_PART;
        assert_int_equal(job_parts(do_part, &bad, PARTS, threads, NULL, &why), STATUS_IO);
        assert_string_equal(why.text, "part 40");
        stopped.stop_at = BAD_PART;
        assert_int_equal(job_parts(do_part, &stopped, PARTS, threads, &stopped.stop, &why),
                         STATUS_STOPPED);
        if (threads == 1) {
            assert_int_equal(parts_done(&bad), BAD_PART + 1);
            assert_int_equal(parts_done(&stopped), BAD_PART + 1);
        }
    }
    assert_int_equal(job_parts(do_part, NULL, 0, 2, NULL, &why), STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result_and_ticks),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
