/* Command-line arguments by table. */
#include "app/args.h"
#include "base/thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct Parsed {
    bool flag;
    int count;
    uint64_t big;
    double share;
    int color;
    const char *text, *path;
    int twice;
} Parsed;

static const char *const colors[] = {"white", "black", "random", NULL};

static bool parse_twice(const char *value, void *field)
{
    int64_t number;
    bool fine = span_to_int64(span_of(value), 0, 100, &number);
    if (fine)
        *(int *)field = (int)(2 * number);
    return fine;
}

static const Parsed initial = {.count = 3, .share = 0.25, .text = "none"};

static const ArgRow rows[] = {
    ARG_ROW_FLAG(Parsed, flag, "--flag", "a flag"),
    ARG_ROW_INT(Parsed, count, "--count", "N", 1, 10, "a count"),
    ARG_ROW_INT(Parsed, big, "--big", "N", 1, INT64_MAX, "a big number"),
    ARG_ROW_REAL(Parsed, share, "--share", "X", 0, 1, "a share"),
    ARG_ROW_CHOICE(Parsed, color, "--color", "C", colors, "a colour"),
    ARG_ROW_TEXT(Parsed, text, "--text", "TEXT", "a text"),
    ARG_ROW_NEEDED_PATH(Parsed, path, "--out", "FILE", "a file"),
    ARG_ROW_PARSED(Parsed, twice, "--twice", "N", parse_twice, "an integer up to 100", "doubled"),
    {0},
};

static const ArgTable table = {
    .rows = rows, .words = "A [B]", .size = sizeof(Parsed), .initial = &initial};

enum { MOST_ARGUMENTS = 16 };

/* Parses the words of one string. */
static Status parse_line(const ArgTable *t, Parsed *p, const char *line, Text *words, Message *why)
{
    char text[256], command[] = "cmd", *argv[MOST_ARGUMENTS] = {command};
    int argc = 1;
    ArgWords found;
    snprintf(text, sizeof text, "%s", line);
    for (char *at = text; *at && argc < MOST_ARGUMENTS;) {
        argv[argc++] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    why->text[0] = '\0';
    Status s = args_parse(t, p, argc, argv, &found, why);
    if (s == STATUS_OK && words)
        args_join(&found, 0, words);
    return s;
}

static void test_values(void **state)
{
    (void)state;
    static char path[] = "--out";
    char cmd[] = "cmd", file[] = "f.pgn", a[] = "a";
    char *argv[] = {cmd, path, file, a};
    Parsed p = {0};
    ArgWords words;
    Message why;
    assert_int_equal(args_parse(&table, &p, 4, argv, &words, &why), STATUS_OK);
    assert_int_equal(p.count, 3);
    assert_true(p.share == 0.25);
    assert_string_equal(p.text, "none");
    assert_string_equal(p.path, "f.pgn");
    assert_int_equal(words.count, 1);
}

static void test_all_kinds(void **state)
{
    (void)state;
    Parsed p = {0};
    Message why;
    Text words;
    text_init(&words);
    assert_int_equal(parse_line(&table, &p,
                                "a --flag --count 10 --big=9000000000 --share 1 --color BLACK "
                                "--out x --twice 21 -- --flag",
                                &words, &why),
                     STATUS_OK);
    assert_true(p.flag);
    assert_int_equal(p.count, 10);
    assert_true(p.big == 9000000000u);
    assert_true(p.share == 1.0);
    assert_int_equal(p.color, 1);
    assert_int_equal(p.twice, 42);
    assert_string_equal(words.at, "a --flag");
    text_free(&words);
}

static void assert_says(const char *line, const char *message)
{
    Parsed p = {0};
    Message why;
    assert_int_equal(parse_line(&table, &p, line, NULL, &why), STATUS_INVALID);
    assert_string_equal(why.text, message);
}

static void test_messages(void **state)
{
    (void)state;
    assert_says("a --out f --what", "unknown option '--what'");
    assert_says("a --out f --count 11", "invalid value '11' for --count: an integer from 1 to 10");
    assert_says("a --out f --count x", "invalid value 'x' for --count: an integer from 1 to 10");
    assert_says("a --out f --count=", "invalid value '' for --count: an integer from 1 to 10");
    assert_says("a --out f --big 0", "invalid value '0' for --big: an integer, 1 or more");
    assert_says("a --out f --share 1.5", "invalid value '1.5' for --share: a number from 0 to 1");
    assert_says("a --out f --share nan", "invalid value 'nan' for --share: a number from 0 to 1");
    assert_says("a --out f --color red", "invalid value 'red' for --color: white, black or random");
    assert_says("a --out f --twice x", "invalid value 'x' for --twice: an integer up to 100");
    assert_says("a --out f --count", "missing value N after --count");
    assert_says("a --out=", "invalid value '' for --out: the name of a file or directory");
    assert_says("a --out f --flag=1", "unexpected value '1' for --flag");
    assert_says("a", "missing --out FILE");
    assert_says("--out f", "missing A");
    assert_says("a b c --out f", "unexpected argument 'c'");
}

static void assert_words(const char *words, int most, const char *line, const char *message)
{
    const ArgTable t = {.words = words, .max_words = most};
    Parsed p = {0};
    Message why;
    assert_int_equal(parse_line(&t, &p, line, NULL, &why), message ? STATUS_INVALID : STATUS_OK);
    assert_string_equal(why.text, message ? message : "");
}

static void test_words(void **state)
{
    (void)state;
    assert_words(NULL, 0, "x", "unexpected argument 'x'");
    assert_words("A B ...", 0, "x", "missing B");
    assert_words("A B ...", 0, "x y z z", NULL);
    assert_words("[A [B ...]]", 0, "", NULL);
    assert_words("[A [B ...]]", 0, "x y z", NULL);
    assert_words("A B [C ...]", 3, "x y z", NULL);
    assert_words("A B [C ...]", 3, "x y z w", "unexpected argument 'w'");
    assert_words("A [FEN]", 0, "x 8/8 w - - 0 1", NULL);
    assert_words("", 0, "x y", NULL);
}

/* Options are told apart from their defaults, and threads are as many as there are cores. */
static void test_given(void **state)
{
    (void)state;
    static const ArgRow two[] = {
        ARG_ROW_INT(Parsed, count, "--count", "N", 1, 10, "a count"),
        ARG_ROW_THREADS(Parsed, twice, 1024, "threads"),
        {0},
    };
    const ArgTable t = {.rows = two, .size = sizeof(Parsed), .initial = &initial};
    char cmd[] = "cmd", count[] = "--count=3", *argv[] = {cmd, count};
    Parsed p = {0};
    ArgWords words;
    Message why;
    assert_int_equal(args_parse(&t, &p, 2, argv, &words, &why), STATUS_OK);
    assert_true(words.given == 1);
    assert_int_equal(p.twice, thread_cpu_count());
}

static void test_help(void **state)
{
    (void)state;
    Text help, usage;
    text_init(&help);
    text_init(&usage);
    args_help(&table, &help);
    assert_string_equal(help.at, "  --flag       a flag\n"
                                 "  --count N    a count (default 3)\n"
                                 "  --big N      a big number\n"
                                 "  --share X    a share (default 0.25)\n"
                                 "  --color C    a colour (default white)\n"
                                 "  --text TEXT  a text (default none)\n"
                                 "  --out FILE   a file\n"
                                 "  --twice N    doubled\n");
    args_usage(&table, "usage: ", "test", &usage);
    assert_string_equal(usage.at, "usage: castellan test A [B] [--flag] [--count N] [--big N] "
                                  "[--share X] [--color C] [--text TEXT]\n"
                                  "                      --out FILE [--twice N]\n");
    text_free(&help);
    text_free(&usage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_words),
        cmocka_unit_test(test_given),    cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
