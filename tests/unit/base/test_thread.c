/* Many threads for one task, also where the machine gives none. */
#include "base/thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { MEMBERS = 6 };

typedef struct Member {
    atomic_int *here; /* members that have begun */
    int wait_for;
    int runs;
} Member;

static void *meet(void *arg)
{
    Member *m = arg;
    m->runs++;
    atomic_fetch_add(m->here, 1);
    while (atomic_load(m->here) < m->wait_for)
        usleep(1000);
    return NULL;
}

static void *count_up(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
    return NULL;
}

static void run_members(Member members[MEMBERS], int count, int wait_for)
{
    atomic_int here = 0;
    for (int i = 0; i < MEMBERS; i++)
        members[i] = (Member){.here = &here, .wait_for = wait_for};
    thread_run_each(meet, members, sizeof *members, count);
}

/* Each waits for all others, so that it ends only when they run at the same time. */
static void test_all_at_once(void **state)
{
    (void)state;
    Member members[MEMBERS];
    run_members(members, MEMBERS, MEMBERS);
    for (int i = 0; i < MEMBERS; i++)
        assert_int_equal(members[i].runs, 1);
}

static void test_some_or_none(void **state)
{
    (void)state;
    Member members[MEMBERS];
    for (int count = 0; count < MEMBERS; count++) {
        run_members(members, count, count);
        for (int i = 0; i < MEMBERS; i++)
            assert_int_equal(members[i].runs, i < count);
    }
}

static void test_shared(void **state)
{
    (void)state;
    atomic_int calls = 0;
    thread_run_each(count_up, &calls, 0, MEMBERS);
    assert_int_equal(calls, MEMBERS);
}

static void *open_latch(void *latch)
{
    latch_open(latch);
    return NULL;
}

static void test_latch(void **state)
{
    (void)state;
    Latch latch;
    Thread t;
    latch_init(&latch);
    assert_false(latch_wait(&latch, 1));
    assert_int_equal(thread_start(&t, open_latch, &latch, 0, NULL), STATUS_OK);
    while (!latch_wait(&latch, 1000)) {
    }
    thread_join(t);
    assert_true(latch_wait(&latch, 0));
    latch_close(&latch);
    assert_false(latch_wait(&latch, 1));
    latch_free(&latch);
}

/* Address space for what is there already, and for no further stack. */
static bool forbid_stacks(struct rlimit *before)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || getrlimit(RLIMIT_AS, before) != 0)
        return false;
    bool known = fscanf(f, "%lu", &pages) == 1;
    fclose(f);
    struct rlimit tight = *before;
    tight.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (1 << 20);
    return known && setrlimit(RLIMIT_AS, &tight) == 0;
}

static void test_no_threads(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(EMULATED)
    skip(); /* they need address space of their own */
#endif
    struct rlimit before;
    Member members[MEMBERS];
    Thread t;
    assert_true(forbid_stacks(&before));
    Status alone = thread_start(&t, count_up, NULL, 0, NULL);
    run_members(members, MEMBERS, 0);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(alone, STATUS_REFUSED);
    for (int i = 0; i < MEMBERS; i++)
        assert_int_equal(members[i].runs, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_threads), /* first: the stacks of ended threads are used again */
        cmocka_unit_test(test_all_at_once), cmocka_unit_test(test_some_or_none),
        cmocka_unit_test(test_shared),      cmocka_unit_test(test_latch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
