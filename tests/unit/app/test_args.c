/* Command-line arguments by table. */
#include "app/args.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct Parsed {
    bool flag;
    int64_t number;
    const char *text;
    ArgWords words;
    Message why;
} Parsed;

static Status parse(Parsed *p, int argc, char **argv)
{
    const ArgRow rows[] = {
        {"--flag", ARG_FLAG, &p->flag, 0, 0},
        {"--number", ARG_INT, &p->number, 1, 10},
        {"--text", ARG_TEXT, &p->text, 0, 0},
        {0},
    };
    p->why.text[0] = '\0';
    return args_parse(rows, argc, argv, &p->words, &p->why);
}

static void test_options_and_words(void **state)
{
    (void)state;
    Parsed p = {0};
    char cmd[] = "cmd", a[] = "a", flag[] = "--flag", number[] = "--number", five[] = "5";
    char text[] = "--text=x=y", b[] = "-", rest[] = "--", last[] = "--flag";
    char *argv[] = {cmd, a, flag, number, five, text, b, rest, last};
    assert_int_equal(parse(&p, 9, argv), STATUS_OK);
    assert_true(p.flag);
    assert_int_equal(p.number, 5);
    assert_string_equal(p.text, "x=y");
    assert_int_equal(p.words.count, 3);
    Text joined;
    text_init(&joined);
    args_join(&p.words, 0, &joined);
    assert_string_equal(joined.at, "a - --flag");
    text_free(&joined);
}

static void assert_misused(char *first, char *second, const char *says)
{
    Parsed p = {0};
    char cmd[] = "cmd";
    char *argv[] = {cmd, first, second};
    assert_int_equal(parse(&p, second ? 3 : 2, argv), STATUS_INVALID);
    assert_non_null(strstr(p.why.text, says));
}

static void test_misuse(void **state)
{
    (void)state;
    char unknown[] = "--what", number[] = "--number", many[] = "11",
         none[] = "--number=", x[] = "x";
    char flagged[] = "--flag=1";
    assert_misused(unknown, NULL, "--what");
    assert_misused(number, NULL, "--number");
    assert_misused(number, many, "11");
    assert_misused(number, x, "'x'");
    assert_misused(none, NULL, "--number");
    assert_misused(flagged, NULL, "--flag");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_and_words),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
