#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "notation/annotation.h"
#include "notation/encoding.h"

static void finds_commands(void **state)
{
    (void)state;
    Span value;
    Span comment = span_of("a [b] [%eval 0.3] and [%csl Ga1,Rb2][%clk  0:01:02 ] end");
    assert_true(annotation_find(comment, "clk", &value) && span_is(value, "0:01:02"));
    assert_true(annotation_find(comment, "csl", &value) && span_is(value, "Ga1,Rb2"));
    assert_false(annotation_find(comment, "cl", &value));
    assert_false(annotation_find(span_of("[%clk 0:01:02"), "clk", &value));
    assert_false(annotation_find(span_of("[%]"), "clk", &value));
    assert_false(annotation_find(span_of(""), "clk", &value));
}

static void reads_times(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        int64_t ms; /* -1: refused */
    } rows[] = {
        {"[%clk 1:02:03]", 3723000}, {"[%clk 0:00:09.57]", 9570},
        {"[%clk 02:03]", 123000},    {"[%clk 17]", 17000},
        {"[%clk 1:2:3:4]", -1},      {"[%clk x]", -1},
        {"[%clk -5]", -1},           {"[%clk ]", -1},
        {"[%clk 1::2]", -1},         {"[%clk 1e99]", -1},
        {"[%clk 99999999:00]", -1},  {"[%clk 1:nan]", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t ms = -1;
        bool read = annotation_time(span_of(rows[i].comment), "clk", &ms);
        assert_int_equal(read, rows[i].ms >= 0);
        assert_int_equal(ms, rows[i].ms);
    }
    int64_t ms;
    assert_true(annotation_time(span_of("[%emt 0:00:05]"), "emt", &ms));
}

static void writes_clocks_and_scores(void **state)
{
    (void)state;
    Text t;
    text_init(&t);
    annotation_add_clock(&t, 3723456);
    text_add_char(&t, ' ');
    annotation_add_eval(&t, (AnnotationScore){false, -5, 12});
    text_add_char(&t, ' ');
    annotation_add_eval(&t, (AnnotationScore){true, -4, -1});
    assert_string_equal(t.at, "[%clk 1:02:03] [%eval -0.05,12] [%eval #-4]");
    text_free(&t);
}

static void tells_utf8_from_latin1(void **state)
{
    (void)state;
    static const char *const good[] = {"",
                                       "abc",
                                       "\xc3\xa9",
                                       "\xe2\x82\xac",
                                       "\xf0\x9f\x99\x82",
                                       "\xed\x9f\xbf",
                                       "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"\xe9",
                                      "\xc3",
                                      "\xc3(",
                                      "\xc0\x80",
                                      "\xe0\x80\x80",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xff",
                                      "\x80",
                                      "\xf0\x80\x80\x80",
                                      "\xe2\x82"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(encoding_is_utf8(span_of(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Text t;
        text_init(&t);
        assert_false(encoding_is_utf8(span_of(bad[i])));
        encoding_add_utf8(&t, span_of(bad[i]));
        assert_true(encoding_is_utf8((Span){t.at, t.len}));
        text_free(&t);
    }
    Text t;
    text_init(&t);
    encoding_add_utf8(&t, span_of("M\xfcller"));
    encoding_add_utf8(&t, span_of(" M\xc3\xbcller"));
    assert_string_equal(t.at, "M\xc3\xbcller M\xc3\xbcller");
    text_free(&t);
}

static void reads_time_controls(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool read;
        int64_t initial, increment;
    } rows[] = {{"180+2", true, 180000, 2000},
                {"600", true, 600000, 0},
                {"0+5", true, 0, 5000},
                {"-", false, 0, 0},
                {"?", false, 0, 0},
                {"0+0", false, 0, 0},
                {"40/9000:3600", false, 0, 0},
                {"", false, 0, 0},
                {"60+x", false, 0, 0},
                {"180+", false, 0, 0},
                {"+", false, 0, 0},
                {"+2", false, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t initial = 0, increment = 0;
        bool read = annotation_time_control(span_of(rows[i].value), &initial, &increment);
        assert_int_equal(read, rows[i].read);
        assert_int_equal(initial, rows[i].initial);
        assert_int_equal(increment, rows[i].increment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_commands),           cmocka_unit_test(reads_times),
        cmocka_unit_test(writes_clocks_and_scores), cmocka_unit_test(tells_utf8_from_latin1),
        cmocka_unit_test(reads_time_controls),
    };
    return cmocka_run_group_tests_name("annotation", tests, NULL, NULL);
}
