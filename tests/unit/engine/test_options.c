/* The options table: names, values, ranges. */
#include "engine/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static int64_t number_of(OptionId id, const char *text)
{
    OptionValue value;
    Message why;
    assert_int_equal(option_read(id, span_of(text), &value, &why), STATUS_OK);
    return value.number;
}

static void assert_refused(OptionId id, const char *text)
{
    OptionValue value;
    Message why;
    assert_int_equal(option_read(id, span_of(text), &value, &why), STATUS_INVALID);
}

static void assert_text(const char *given, const char *kept)
{
    OptionValue value;
    Message why;
    assert_int_equal(option_read(OPTION_SYZYGY_PATH, span_of(given), &value, &why), STATUS_OK);
    assert_string_equal(value.text, kept);
    free(value.text);
}

static void test_every_row_is_whole(void **state)
{
    (void)state;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionRow *row = &option_rows[i];
        assert_non_null(row->name);
        assert_int_equal(option_find(span_of(row->name)), i);
        if (row->kind == OPTION_SPIN)
            assert_true(row->min <= row->initial && row->initial <= row->max);
        if (row->kind == OPTION_STRING)
            assert_non_null(row->initial_text);
        if (row->kind == OPTION_BUTTON)
            assert_non_null(row->apply);
    }
}

static void test_names_ignore_case(void **state)
{
    (void)state;
    assert_int_equal(option_find(span_of("hASH")), OPTION_HASH);
    assert_int_equal(option_find(span_of("clear hash")), OPTION_CLEAR_HASH);
    assert_int_equal(option_find(span_of("Has")), OPTION_COUNT);
    assert_int_equal(option_find(span_of("")), OPTION_COUNT);
}

static void test_spins_are_clamped(void **state)
{
    (void)state;
    assert_int_equal(number_of(OPTION_HASH, "64"), 64);
    assert_int_equal(number_of(OPTION_HASH, "+64"), 64);
    assert_int_equal(number_of(OPTION_HASH, "0"), 1);
    assert_int_equal(number_of(OPTION_HASH, "-99999999999999999999999"), 1);
    assert_int_equal(number_of(OPTION_HASH, "99999999999999999999999"), 33554432);
    assert_int_equal(number_of(OPTION_MULTI_PV, "257"), 256);
    assert_refused(OPTION_HASH, "");
    assert_refused(OPTION_HASH, "-");
    assert_refused(OPTION_HASH, "12x");
    assert_refused(OPTION_HASH, "1.5");
}

static void test_checks(void **state)
{
    (void)state;
    assert_int_equal(number_of(OPTION_PONDER, "true"), 1);
    assert_int_equal(number_of(OPTION_PONDER, "TRUE"), 1);
    assert_int_equal(number_of(OPTION_PONDER, "1"), 1);
    assert_int_equal(number_of(OPTION_PONDER, "false"), 0);
    assert_int_equal(number_of(OPTION_PONDER, "0"), 0);
    assert_refused(OPTION_PONDER, "");
    assert_refused(OPTION_PONDER, "maybe");
}

static void test_strings(void **state)
{
    (void)state;
    assert_text("/a b/c:/d", "/a b/c:/d");
    assert_text("", "");
    assert_text("<empty>", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_whole),
        cmocka_unit_test(test_names_ignore_case),
        cmocka_unit_test(test_spins_are_clamped),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
