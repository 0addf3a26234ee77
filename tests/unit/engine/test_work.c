/* Work beside the search: bench, random start positions, showing. */
#include "../positions.h"
#include "chess/fen.h"
#include "engine/bench.h"
#include "engine/genfens.h"
#include "engine/show.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_bench_positions_are_legal(void **state)
{
    (void)state;
    Position p;
    Message why;
    assert_true(bench_count() >= 40);
    for (int i = 0; i < bench_count(); i++) {
        assert_int_equal(fen_parse(&p, span_of(bench_fen(i)), false, &why), STATUS_OK);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(bench_fen(i), bench_fen(j));
    }
}

static void test_bench_repeats(void **state)
{
    (void)state;
    BenchTotal one, two, deeper;
    Message why;
    assert_int_equal(bench_run("default", 3, NULL, NULL, NULL, &one, &why), STATUS_OK);
    assert_int_equal(bench_run("default", 3, NULL, NULL, NULL, &two, &why), STATUS_OK);
    assert_int_equal(bench_run("default", 4, NULL, NULL, NULL, &deeper, &why), STATUS_OK);
    assert_int_equal(one.nodes, two.nodes);
    assert_true(deeper.nodes > one.nodes);
    atomic_bool stop = true;
    assert_int_equal(bench_run("default", 60, &stop, NULL, NULL, &one, &why), STATUS_STOPPED);
}

static void test_bench_of_other_evaluations(void **state)
{
    (void)state;
    BenchTotal own, classical;
    Message why;
    assert_int_equal(bench_run("default", 3, NULL, NULL, NULL, &own, &why), STATUS_OK);
    assert_int_equal(bench_run("classical", 3, NULL, NULL, NULL, &classical, &why), STATUS_OK);
    assert_int_not_equal(own.nodes, classical.nodes);
    assert_int_equal(bench_run("/no/such.net", 3, NULL, NULL, NULL, &own, &why), STATUS_MISSING);
}

typedef struct Fens {
    int count;
    char fen[8][FEN_SIZE];
} Fens;

static void keep_fen(void *user, const char *fen)
{
    Fens *f = user;
    Position p;
    Message why;
    assert_int_equal(fen_parse(&p, span_of(fen), false, &why), STATUS_OK);
    assert_true(strlen(fen) < FEN_SIZE);
    memcpy(f->fen[f->count++], fen, strlen(fen) + 1);
}

static void test_genfens(void **state)
{
    (void)state;
    Fens one = {0}, two = {0};
    Message why;
    GenfensJob job = {.count = 8, .seed = 7};
    assert_int_equal(genfens_run(&job, NULL, keep_fen, &one, &why), STATUS_OK);
    assert_int_equal(genfens_run(&job, NULL, keep_fen, &two, &why), STATUS_OK);
    assert_int_equal(one.count, 8);
    assert_memory_equal(&one, &two, sizeof one);
    assert_string_not_equal(one.fen[0], one.fen[1]);
    job.book = "/nonexistent/book.epd";
    assert_int_not_equal(genfens_run(&job, NULL, keep_fen, &one, &why), STATUS_OK);
}

static void test_show(void **state)
{
    (void)state;
    Position p;
    Text t;
    Message why;
    text_init(&t);
    assert_int_equal(fen_parse(&p, span_of("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1"), false, &why), 0);
    show_position(&p, &t);
    assert_non_null(strstr(t.at, " 8  . . . . k . . .\n"));
    assert_non_null(strstr(t.at, "Fen: 4k3/8/8/8/8/8/3q4/4K3 w - - 0 1\n"));
    assert_non_null(strstr(t.at, "Checkers: d2\n"));
    text_clear(&t);
    show_eval(evaluator_classical(), &p, &t);
    assert_string_equal(t.at, "in check: no static evaluation\n");
    text_clear(&t);
    assert_int_equal(fen_parse(&p, span_of("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1"), false, &why), 0);
    show_eval(evaluator_classical(), &p, &t);
    assert_non_null(strstr(t.at, "score +"));
    text_clear(&t);
    show_board(&p, BLACK, &t);
    assert_non_null(strstr(t.at, " 1  . . . K . . . .\n"));
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bench_positions_are_legal),
        cmocka_unit_test(test_bench_repeats),
        cmocka_unit_test(test_bench_of_other_evaluations),
        cmocka_unit_test(test_genfens),
        cmocka_unit_test(test_show),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
