/* Runs unit tests and prints TAP as cmocka does. */
#include "cmocka.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { PASSED, FAILED, SKIPPED };

static jmp_buf after_test;

_Noreturn void cross_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("# %s:%d: ", file, line);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    longjmp(after_test, FAILED);
}

_Noreturn void cross_skip(void)
{
    longjmp(after_test, SKIPPED);
}

void print_message(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

void cross_numbers(int equal, uint64_t a, uint64_t b, const char *text, const char *file, int line)
{
    if ((a == b) != equal)
        cross_fail(file, line, "%s: %" PRId64 ", %" PRId64, text, (int64_t)a, (int64_t)b);
}

void cross_bytes(int equal, const void *a, const void *b, size_t size, const char *text,
                 const char *file, int line)
{
    if ((memcmp(a, b, size) == 0) != equal)
        cross_fail(file, line, "%s: %zu bytes", text, size);
}

void cross_strings(int equal, const char *a, const char *b, const char *file, int line)
{
    if ((strcmp(a, b) == 0) != equal)
        cross_fail(file, line, "\"%s\", \"%s\"", a, b);
}

/* A failed set-up fails the test; the tear-down runs whatever happened. */
static int run_one(const struct CMUnitTest *t, void **state)
{
    int outcome = setjmp(after_test);
    if (outcome == PASSED) {
        if (t->setup && t->setup(state) != 0)
            cross_fail(__FILE__, __LINE__, "set-up of %s", t->name);
        t->test(state);
    }
    return outcome;
}

static int tear_down(const struct CMUnitTest *t, void **state)
{
    int outcome = setjmp(after_test);
    if (outcome == PASSED && t->teardown && t->teardown(state) != 0)
        cross_fail(__FILE__, __LINE__, "tear-down of %s", t->name);
    return outcome;
}

int cross_run_all(const struct CMUnitTest *tests, size_t count, int (*setup)(void **),
                  int (*teardown)(void **))
{
    void *group = NULL;
    int failed = 0;
    printf("1..%zu\n", count);
    if (setup && setup(&group) != 0)
        return 1;
    for (size_t i = 0; i < count; i++) {
        void *state = group;
        int outcome = run_one(&tests[i], &state);
        if (tear_down(&tests[i], &state) == FAILED)
            outcome = FAILED;
        failed += outcome == FAILED;
        printf("%s %zu %s %s\n", outcome == PASSED ? "ok" : "not ok", i + 1,
               outcome == SKIPPED ? "# SKIP" : "-", tests[i].name);
        fflush(stdout);
    }
    if (teardown)
        teardown(&group);
    return failed != 0;
}
