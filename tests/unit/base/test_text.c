/* Spans, numbers, and growing text. */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void compares_and_trims(void **state)
{
    (void)state;
    assert_true(span_is(span_of("go"), "go"));
    assert_false(span_is(span_of("go"), "g"));
    assert_false(span_is((Span){"go", 1}, "go"));
    assert_true(span_is_ignoring_case(span_of("HaSh"), "hash"));
    assert_true(span_starts(span_of("setoption"), "set"));
    assert_false(span_starts(span_of("se"), "set"));
    assert_true(span_is(span_trim(span_of(" \t a b\r\n")), "a b"));
    assert_int_equal(span_trim(span_of(" \n")).len, 0);
}

static void cuts_words_and_lines(void **state)
{
    (void)state;
    Span rest = span_of("  e2e4\te7e5 "), word;
    assert_true(span_next_word(&rest, &word));
    assert_true(span_is(word, "e2e4"));
    assert_true(span_next_word(&rest, &word));
    assert_true(span_is(word, "e7e5"));
    assert_false(span_next_word(&rest, &word));

    Span text = span_of("one\r\n\ntwo"), line;
    assert_true(span_next_line(&text, &line));
    assert_true(span_is(line, "one"));
    assert_true(span_next_line(&text, &line));
    assert_int_equal(line.len, 0);
    assert_true(span_next_line(&text, &line));
    assert_true(span_is(line, "two"));
    assert_false(span_next_line(&text, &line));
}

static void cuts_at_separators(void **state)
{
    (void)state;
    Span rest = span_of("a=1,,b"), field, name;
    assert_true(span_cut(&rest, ',', &field) && span_is(field, "a=1"));
    assert_true(span_cut(&field, '=', &name) && span_is(name, "a") && span_is(field, "1"));
    assert_true(span_cut(&rest, ',', &field) && span_is(field, ""));
    assert_false(span_cut(&rest, ',', &field));
    assert_true(span_is(field, "b") && rest.len == 0);
    assert_false(span_cut(&rest, ',', &field));
    assert_true(field.len == 0);
}

static void reads_numbers_in_range(void **state)
{
    (void)state;
    int64_t n = 7;
    assert_true(span_to_int64(span_of("-12"), -20, 20, &n));
    assert_int_equal(n, -12);
    assert_true(span_to_int64(span_of("9223372036854775807"), 0, INT64_MAX, &n));
    assert_true(n == INT64_MAX);
    static const char *const bad[] = {"",  "-", "1x", " 1", "1 ", "0x10", "9223372036854775808",
                                      "21"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        n = 7;
        assert_false(span_to_int64(span_of(bad[i]), -20, i < 7 ? INT64_MAX : 20, &n));
        assert_int_equal(n, 7);
    }
    double x = 0;
    assert_true(span_to_double(span_of("2.5"), &x));
    assert_true(x == 2.5);
    assert_false(span_to_double(span_of("2.5s"), &x));
    assert_false(span_to_double(span_of(""), &x));
}

static void shows_foreign_text_safely(void **state)
{
    (void)state;
    char out[8];
    span_show(span_of("a\033[31m"), out, sizeof out);
    assert_string_equal(out, "a?[31m");
    span_show(span_of("longer than that"), out, sizeof out);
    assert_string_equal(out, "long...");
}

static void cuts_between_utf8_characters(void **state)
{
    (void)state;
    char out[5];
    text_copy_utf8(out, sizeof out, "ab\xC3\xA9\xC3\xA9");
    assert_string_equal(out, "ab\xC3\xA9");
    text_copy_utf8(out, 4, "ab\xC3\xA9");
    assert_string_equal(out, "ab");
    text_copy_utf8(out, sizeof out, "abcd");
    assert_string_equal(out, "abcd");
}

static void grows(void **state)
{
    (void)state;
    Text t;
    text_init(&t);
    assert_string_equal(t.at, "");
    for (int i = 0; i < 1000; i++)
        text_addf(&t, "%d,", i % 10);
    text_add_str(&t, "end");
    text_add_char(&t, '!');
    text_add(&t, "a\0b", 3);
    assert_int_equal(t.len, 2000 + 3 + 1 + 3);
    assert_memory_equal(t.at + 2000, "end!a\0b", 8);
    assert_false(t.failed);
    text_clear(&t);
    assert_int_equal(t.len, 0);
    assert_string_equal(t.at, "");
    text_free(&t);
}

static void escapes_markup(void **state)
{
    (void)state;
    Text t = text_new();
    for (const char *c = "<a&\">"; *c; c++)
        if (!text_add_entity(&t, *c))
            text_add_char(&t, *c);
    assert_string_equal(t.at, "&lt;a&amp;&quot;&gt;");
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_and_trims),
        cmocka_unit_test(cuts_words_and_lines),
        cmocka_unit_test(cuts_at_separators),
        cmocka_unit_test(reads_numbers_in_range),
        cmocka_unit_test(shows_foreign_text_safely),
        cmocka_unit_test(cuts_between_utf8_characters),
        cmocka_unit_test(grows),
        cmocka_unit_test(escapes_markup),
    };
    return cmocka_run_group_tests_name("base/text", tests, NULL, NULL);
}
