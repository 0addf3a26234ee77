/* The part of cmocka's interface that our unit tests use, for platforms without the library. */
#ifndef TESTS_PLATFORMS_CMOCKA_H
#define TESTS_PLATFORMS_CMOCKA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
};

#define cmocka_unit_test(f) \
    {                       \
#f, f, NULL, NULL   \
    }
#define cmocka_unit_test_setup_teardown(f, s, t) \
    {                                            \
#f, f, s, t                              \
    }

int cross_run_all(const struct CMUnitTest *tests, size_t count, int (*setup)(void **),
                  int (*teardown)(void **));
#define cmocka_run_group_tests(tests, setup, teardown) \
    cross_run_all(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
    cmocka_run_group_tests(tests, setup, teardown)

/* Both end the running test. */
_Noreturn void cross_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void cross_skip(void);

void print_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define fail_msg(...) cross_fail(__FILE__, __LINE__, __VA_ARGS__)
#define fail() fail_msg("failed")
#define skip() cross_skip()

#define TEST_THAT(condition, text) ((condition) ? (void)0 : fail_msg("%s", text))

void cross_numbers(int equal, uint64_t a, uint64_t b, const char *text, const char *file, int line);
void cross_bytes(int equal, const void *a, const void *b, size_t size, const char *text,
                 const char *file, int line);
void cross_strings(int equal, const char *a, const char *b, const char *file, int line);

#define assert_true(c) TEST_THAT((c), #c)
#define assert_false(c) TEST_THAT(!(c), "!(" #c ")")
#define assert_non_null(p) TEST_THAT((p) != NULL, #p " is not NULL")
#define assert_null(p) TEST_THAT((p) == NULL, #p " is NULL")
#define assert_ptr_equal(a, b) TEST_THAT((const void *)(a) == (const void *)(b), #a " is " #b)
#define assert_in_range(v, low, high)                                                \
    TEST_THAT((uint64_t)(v) >= (uint64_t)(low) && (uint64_t)(v) <= (uint64_t)(high), \
              #v " in " #low " ... " #high)
#define assert_int_equal(a, b) \
    cross_numbers(1, (uint64_t)(a), (uint64_t)(b), #a ", " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) \
    cross_numbers(0, (uint64_t)(a), (uint64_t)(b), #a ", " #b, __FILE__, __LINE__)
#define assert_string_equal(a, b) cross_strings(1, a, b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) cross_strings(0, a, b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, n) cross_bytes(1, a, b, n, #a ", " #b, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, n) cross_bytes(0, a, b, n, #a ", " #b, __FILE__, __LINE__)

#endif
