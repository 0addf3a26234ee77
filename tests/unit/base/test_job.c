/* Work on a thread of its own, with a stop flag that signals set. */
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

typedef struct Count {
    atomic_int ticks;
    int wanted; /* ticks to wait for; 0: none, -1: until stopped */
} Count;

static Status count_ticks(void *user, const atomic_bool *stop, Message *why)
{
    Count *c = user;
    while (c->wanted && !atomic_load(stop) && (c->wanted < 0 || atomic_load(&c->ticks) < c->wanted))
        clock_sleep_ms(1);
    if (c->wanted == 0)
        return status_fail(why, STATUS_IO, "no work");
    return STATUS_OK;
}

static void on_tick(void *user)
{
    atomic_fetch_add(&((Count *)user)->ticks, 1);
}

static void interrupt_on_tick(void *user)
{
    on_tick(user);
    if (atomic_load(&((Count *)user)->ticks) == 1)
        kill(getpid(), SIGTERM);
}

static void test_result_and_ticks(void **state)
{
    (void)state;
    Count c = {.wanted = 3};
    Message why;
    assert_int_equal(job_run(count_ticks, on_tick, &c, &why), STATUS_OK);
    assert_true(atomic_load(&c.ticks) >= 3);
}

static void test_failure(void **state)
{
    (void)state;
    Count c = {.wanted = 0};
    Message why;
    assert_int_equal(job_run(count_ticks, NULL, &c, &why), STATUS_IO);
    assert_string_equal(why.text, "no work");
}

static void test_interrupt(void **state)
{
    (void)state;
    Count c = {.wanted = -1};
    Message why;
    assert_int_equal(job_run(count_ticks, interrupt_on_tick, &c, &why), STATUS_STOPPED);
    assert_string_equal(why.text, "interrupted");
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
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
