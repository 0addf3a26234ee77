/* Lines from a pipe: whole, long, binary, unfinished; and waking. */
#include "proto/input.h"
#include "proto/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Fixture {
    Input in;
    int pipe[2];
} Fixture;

static int open_pipe(void **state)
{
    static Fixture f;
    Message why;
    if (pipe(f.pipe) != 0)
        return -1;
    *state = &f;
    return input_open(&f.in, f.pipe[0], &why) == STATUS_OK ? 0 : -1;
}

static int close_pipe(void **state)
{
    Fixture *f = *state;
    input_close(&f->in);
    close(f->pipe[0]);
    if (f->pipe[1] >= 0)
        close(f->pipe[1]);
    return 0;
}

static void put(Fixture *f, const char *bytes, size_t len)
{
    assert_int_equal(write(f->pipe[1], bytes, len), len);
}

static void end(Fixture *f)
{
    close(f->pipe[1]);
    f->pipe[1] = -1;
}

static void assert_line(Fixture *f, const char *expected, size_t len)
{
    Span line;
    assert_int_equal(input_next(&f->in, &line), INPUT_LINE);
    assert_int_equal(line.len, len);
    assert_memory_equal(line.at, expected, len);
}

static void assert_end(Fixture *f)
{
    Span line;
    assert_int_equal(input_next(&f->in, &line), INPUT_END);
}

static void test_lines(void **state)
{
    Fixture *f = *state;
    put(f, "one\ntwo\r\n\nthr", 13);
    assert_line(f, "one", 3);
    assert_line(f, "two", 3);
    assert_line(f, "", 0);
    put(f, "ee\nlast", 7);
    assert_line(f, "three", 5);
    end(f);
    assert_line(f, "last", 4);
    assert_end(f);
    assert_end(f);
}

static void test_binary(void **state)
{
    Fixture *f = *state;
    put(f, "a\0b\xff\n\0\n", 7);
    assert_line(f, "a\0b\xff", 4);
    assert_line(f, "\0", 1);
}

static void test_wake(void **state)
{
    Fixture *f = *state;
    Span line;
    input_wake(&f->in);
    input_wake(&f->in);
    put(f, "x\n", 2);
    assert_int_equal(input_next(&f->in, &line), INPUT_WAKE);
    assert_line(f, "x", 1);
    for (int i = 0; i < 200000; i++)
        input_wake(&f->in);
    assert_int_equal(input_next(&f->in, &line), INPUT_WAKE);
    end(f);
    assert_end(f);
}

/* From a file: pipes would block on so much. */
static void test_very_long_lines(void **state)
{
    (void)state;
    Input in;
    Span line;
    Message why;
    FILE *file = tmpfile();
    assert_non_null(file);
    for (size_t i = 0; i < INPUT_LONGEST_LINE + 100000; i++)
        fputc('x', file);
    fputs("\nnext\n", file);
    for (int i = 0; i < 1000000; i++)
        fputc('y', file);
    fputs("\n", file);
    fflush(file);
    rewind(file);
    assert_int_equal(input_open(&in, fileno(file), &why), STATUS_OK);
    assert_int_equal(input_next(&in, &line), INPUT_TOO_LONG);
    assert_int_equal(input_next(&in, &line), INPUT_LINE);
    assert_int_equal(line.len, 4);
    assert_memory_equal(line.at, "next", 4);
    assert_int_equal(input_next(&in, &line), INPUT_LINE);
    assert_int_equal(line.len, 1000000);
    assert_int_equal(input_next(&in, &line), INPUT_END);
    input_close(&in);
    fclose(file);
}

static void test_output(void **state)
{
    (void)state;
    int ends[2];
    char got[4096] = "", longer[4000];
    Output out;
    Text t;
    assert_int_equal(pipe(ends), 0);
    output_open(&out, ends[1]);
    output_line(&out, "%s %d", "one", 1);
    text_init(&t);
    text_add_str(&t, "two\nthree\n");
    output_text(&out, &t);
    t.failed = true;
    output_text(&out, &t);
    assert_int_equal(read(ends[0], got, sizeof got), 16);
    assert_memory_equal(got, "one 1\ntwo\nthree\n", 16);
    memset(longer, 'z', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    output_line(&out, "%s", longer);
    ssize_t len = read(ends[0], got, sizeof got);
    assert_true(len > 1000 && got[len - 1] == '\n');
    text_free(&t);
    output_close(&out);
    close(ends[0]);
    close(ends[1]);
}

#define WITH_PIPE(test) cmocka_unit_test_setup_teardown(test, open_pipe, close_pipe)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PIPE(test_lines),         WITH_PIPE(test_binary),
        WITH_PIPE(test_wake),          cmocka_unit_test(test_very_long_lines),
        cmocka_unit_test(test_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
