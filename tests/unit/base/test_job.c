/* Work on a thread of its own, with a stop flag that signals set. */
#include "base/job.h"

#include "base/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result_and_ticks),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
