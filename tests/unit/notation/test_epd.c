#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../epd_text.h"
#include "../positions.h"
#include "base/file.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "notation/epd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

/* What is written after reading the line. */
static void assert_rewritten(const char *line, const char *want)
{
    Epd *e = malloc(sizeof *e);
    Message why = {""};
    Text out;
    text_init(&out);
    epd_init(e);
    if (epd_read(e, span_of(line), false, &why) != STATUS_OK)
        fail_msg("%s: %s", line, why.text);
    epd_text(e, &out);
    assert_string_equal(out.at, want);
    text_free(&out);
    epd_free(e);
    free(e);
}

static void assert_refused(const char *line, const char *want)
{
    Epd *e = malloc(sizeof *e);
    Message why = {""};
    epd_init(e);
    assert_int_equal(epd_read(e, span_of(line), false, &why), STATUS_INVALID);
    assert_string_equal(why.text, want);
    assert_int_equal(e->operation_count, 0);
    epd_free(e);
    free(e);
}

static void reads_and_writes(void **state)
{
    (void)state;
    assert_rewritten(START, START);
    assert_rewritten(START " bm Nf3 e2e4; id \"a; b\";", START " bm Nf3 e4; id \"a; b\";");
    assert_rewritten(START " acd 12; acn 123456789012; acs 5; ce -35; dm 3; pv e4 e5 Nf3;",
                     START " acd 12; acn 123456789012; acs 5; ce -35; dm 3; pv e4 e5 Nf3;");
    assert_rewritten(START " c0 \"x\"; c9 word; noop; resign; foo_1 1 \"two\" 3.5;",
                     START " c0 \"x\"; c9 word; noop; resign; foo_1 1 \"two\" 3.5;");
    assert_rewritten(START "  bm  d4 ;id \"\" ", START " bm d4; id \"\";");
    assert_rewritten(START "\r\n", START);
    assert_rewritten(START " c0 Alpha -  Beta, 2026; c1 1-0;",
                     START " c0 \"Alpha - Beta, 2026\"; c1 1-0;");
}

static void tolerates_counters_and_perft_suites(void **state)
{
    (void)state;
    assert_rewritten(START " 3 17", START " hmvc 3; fmvn 17;");
    assert_rewritten(START " 0 1 ;D1 20 ;D2 400", START " hmvc 0; fmvn 1; D1 20; D2 400;");
    assert_rewritten(START " 0 0 bm e4;", START " hmvc 0; fmvn 1; bm e4;");
    Epd *e = malloc(sizeof *e);
    char fen[FEN_SIZE];
    epd_init(e);
    assert_int_equal(
        epd_read(e, span_of("4k3/8/8/8/8/8/8/4K2R b K - hmvc 3; fmvn 17;"), false, NULL),
        STATUS_OK);
    fen_write(&e->position, FEN_X, fen);
    assert_string_equal(fen, "4k3/8/8/8/8/8/8/4K2R b K - 3 17");
    epd_free(e);
    free(e);
}

static void refuses_with_the_operation(void **state)
{
    (void)state;
    assert_refused(START " bm Qg6;", "operation bm: \"Qg6\" is not legal here");
    assert_refused(START " hmvc 1001;",
                   "operation hmvc: expected a number from 0 to 1000, not '1001'");
    assert_refused(START " 1001 1", "operation hmvc: expected a number from 0 to 1000, not '1001'");
    assert_refused(START " am xyz;", "operation am: \"xyz\" is not a move");
    assert_refused(START " pv e4 e4;", "operation pv: \"e4\" is not legal here");
    assert_refused(START " bm;", "operation bm: expected a move");
    assert_refused(START " sm e4 d4;", "operation sm: expected one operand, not 2");
    assert_refused(START " acd many;",
                   "operation acd: expected a number from 0 to 2147483647, not 'many'");
    assert_refused(START " dm -1;", "operation dm: expected a number from 0 to 10000, not '-1'");
    assert_refused(START " id \"x;", "operation id: unterminated string");
    assert_refused(START " id \"x\"; id \"y\";", "operation id: duplicate operation");
    assert_refused(START " id \"x\" \"y\";", "operation id: expected one string, not 2");
    assert_refused(START " id;", "operation id: expected a string");
    assert_refused(START " resign now;", "operation resign: expected no operand");
    assert_refused(START " !x 3;", "'!x' is not an operation");
    assert_refused(START " abcdefghijklmnop 3;", "'abcdefghijklmnop' is not an operation");
}

static void refuses_impossible_positions(void **state)
{
    (void)state;
    Epd *e = malloc(sizeof *e);
    Message why = {""};
    epd_init(e);
    static const char *const lines[] = {"", "x", "8/8/8/8/8/8/8/8 w - - bm e4;", "; bm e4"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        why.text[0] = '\0';
        assert_int_equal(epd_read(e, span_of(lines[i]), false, &why), STATUS_INVALID);
        assert_true(why.text[0] != '\0');
    }
    epd_free(e);
    free(e);
}

static void finds_what_was_read(void **state)
{
    (void)state;
    Epd *e = malloc(sizeof *e);
    Move moves[8];
    int64_t number;
    char uci[UCI_MOVE_SIZE];
    epd_init(e);
    assert_int_equal(
        epd_read(e, span_of(START " bm Nf3 e4; dm 5; id \"x y\"; pv d4 d5;"), false, NULL),
        STATUS_OK);
    assert_int_equal(epd_moves(e, "bm", moves, 8), 2);
    uci_move_write(&e->position, moves[1], uci);
    assert_string_equal(uci, "e2e4");
    assert_int_equal(epd_moves(e, "bm", moves, 1), 1);
    assert_int_equal(epd_moves(e, "pv", moves, 8), 2);
    assert_int_equal(epd_moves(e, "am", moves, 8), 0);
    assert_int_equal(epd_moves(e, "id", moves, 8), 0);
    assert_true(epd_number(e, "dm", &number));
    assert_int_equal(number, 5);
    assert_false(epd_number(e, "id", &number));
    const EpdOperation *id = epd_find(e, "id");
    assert_non_null(id);
    assert_true(span_is(epd_operand(e, id, 0), "x y"));
    assert_null(epd_find(e, "i"));
    epd_free(e);
    free(e);
}

static void limits_what_a_line_can_hold(void **state)
{
    (void)state;
    static const struct {
        const char *repeated;
        int times;
        const char *why;
    } rows[] = {
        {" x", 600, "operation a: more than 512 operands on a line"},
        {"; x%d", 100, "more than 64 operations"},
        {" xxxxxxxxx", 100000, "line longer than 65536 bytes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text line;
        text_init(&line);
        text_add_str(&line, START " a");
        for (int k = 0; k < rows[i].times; k++) {
            if (i == 1)
                text_addf(&line, "; x%d", k);
            else
                text_add_str(&line, rows[i].repeated);
        }
        assert_refused(line.at, rows[i].why);
        text_free(&line);
    }
}

/* -- The suites of ../shared, where they are -- */

static char *read_shared(const char *path, size_t *len)
{
    static const char *const roots[] = {"../shared/data", "../../shared/data"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        char full[256], *bytes;
        snprintf(full, sizeof full, "%s/%s", roots[i], path);
        if (file_read(&bytes, len, full, 64 << 20, NULL) == STATUS_OK)
            return bytes;
    }
    return NULL;
}

static int read_suite(const char *path)
{
    size_t len;
    char *bytes = read_shared(path, &len);
    if (!bytes)
        return -1;
    Epd *e = malloc(sizeof *e);
    epd_init(e);
    Span rest = {bytes, len}, line;
    int lines = 0;
    while (span_next_line(&rest, &line)) {
        Message why = {""};
        if (!line.len)
            continue;
        lines++;
        if (epd_read(e, line, false, &why) != STATUS_OK)
            fail_msg("%s:%d: %s", path, lines, why.text);
        assert_true(e->operation_count > 0);
    }
    epd_free(e);
    free(e);
    free(bytes);
    return lines;
}

static void reads_the_suites(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int lines;
    } rows[] = {
        {"epd/wac.epd", 300},
        {"epd/bt2630.epd", 30},
        {"epd/eet.epd", 100},
        {"perft/standard.epd", 127},
        {"perft/fischer.epd", 960},
        {"openings/balanced-5000.epd", 5000},
        {"openings/dfrc-2000.epd", 2000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int lines = read_suite(rows[i].path);
        if (lines < 0) {
            print_message("skip reads_the_suites: ../shared/data/%s is missing\n", rows[i].path);
            skip();
        }
        assert_true(lines >= rows[i].lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes),
        cmocka_unit_test(tolerates_counters_and_perft_suites),
        cmocka_unit_test(refuses_with_the_operation),
        cmocka_unit_test(refuses_impossible_positions),
        cmocka_unit_test(finds_what_was_read),
        cmocka_unit_test(limits_what_a_line_can_hold),
        cmocka_unit_test(reads_the_suites),
    };
    return cmocka_run_group_tests_name("epd", tests, init_chess, NULL);
}
