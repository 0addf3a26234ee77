/* OwnBook and BookFile: when the session answers from its book, and when it must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/book_build.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "engine/engine_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Fixture {
    Engine *e;
    char path[64];
    EngineResult result;
    int done;
    Message why;
} Fixture;

static void on_done(void *user, const EngineResult *result)
{
    Fixture *f = user;
    f->result = *result;
    f->done++;
}

/* The book knows one move, which no search would choose. */
static void write_book(const char *path)
{
    BookBuild *b;
    BookBuildCounts counts;
    Position p;
    Message why;
    BookBuildOptions options = {.min_games = 1};
    pos_set_start(&p);
    Move odd = uci_move_read(&p, span_of("h2h4"));
    assert_int_equal(book_build_begin(&b, path, &options, &why), STATUS_OK);
    book_build_add(b, pos_polyglot_key(&p), book_move_bits(odd), BOOK_WIN, &why);
    assert_int_equal(book_build_finish(b, &counts, &why), STATUS_OK);
    book_build_free(b);
}

static int begin(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    snprintf(f->path, sizeof f->path, "/tmp/castellan-own-book.XXXXXX");
    int fd = mkstemp(f->path);
    if (fd < 0)
        return -1;
    close(fd);
    write_book(f->path);
    *state = f;
    EngineEvents events = {.user = f, .done = on_done};
    return engine_create(&f->e, &events, &f->why) == STATUS_OK ? 0 : -1;
}

static int end(void **state)
{
    Fixture *f = *state;
    engine_destroy(f->e);
    unlink(f->path);
    free(f);
    return 0;
}

static Status set(Fixture *f, const char *name, const char *value)
{
    return engine_set_option(f->e, span_of(name), span_of(value), &f->why);
}

static void use_book(Fixture *f)
{
    assert_int_equal(set(f, "BookFile", f->path), STATUS_OK);
    assert_string_equal(f->why.text, "BookFile: 1 entries");
    assert_int_equal(set(f, "OwnBook", "true"), STATUS_OK);
}

static bool plays_from_book(Fixture *f, const SearchLimits *limits)
{
    int before = f->done;
    engine_go(f->e, NULL, limits);
    if (limits->infinite || limits->ponder)
        engine_stop(f->e);
    engine_wait(f->e);
    assert_int_equal(f->done, before + 1);
    char uci[UCI_MOVE_SIZE];
    uci_move_write(f->result.root, f->result.best, uci);
    return strcmp(uci, "h2h4") == 0;
}

static void test_answers_at_once(void **state)
{
    Fixture *f = *state;
    use_book(f);
    assert_true(plays_from_book(f, &(SearchLimits){.depth = 8}));
    assert_int_equal(f->result.depth, 1);
    assert_true(plays_from_book(f, &(SearchLimits){.nodes = 100000}));
    SearchLimits clocked = {.has_clock = {true, true}, .clock_ms = {600000, 600000}};
    assert_true(plays_from_book(f, &clocked));
    assert_true(plays_from_book(f, &(SearchLimits){.move_time_ms = 60000}));
    assert_true(f->result.time_ms < 5000);
}

static void test_not_when_analysing(void **state)
{
    Fixture *f = *state;
    use_book(f);
    assert_false(plays_from_book(f, &(SearchLimits){.infinite = true}));
    assert_false(plays_from_book(f, &(SearchLimits){.ponder = true, .depth = 4}));
    assert_false(plays_from_book(f, &(SearchLimits){.mate = 2, .depth = 4}));
    SearchLimits only = {.depth = 4, .only_count = 1};
    only.only[0] = uci_move_read(engine_position(f->e), span_of("e2e4"));
    assert_false(plays_from_book(f, &only));
    assert_int_equal(set(f, "UCI_AnalyseMode", "true"), STATUS_OK);
    assert_false(plays_from_book(f, &(SearchLimits){.depth = 4}));
}

static bool knows(const Book *book, const Position *p, Move m)
{
    BookMove moves[MAX_MOVES];
    int count = book_probe(book, p, moves);
    for (int i = 0; i < count; i++)
        if (moves[i].move == m && moves[i].weight)
            return true;
    return false;
}

static void test_has_one_inside(void **state)
{
    Fixture *f = *state;
    Book *own;
    assert_int_equal(book_open_own(&own, &f->why), STATUS_OK);
    plays_from_book(f, &(SearchLimits){.depth = 4});
    assert_int_equal(f->result.depth, 4);
    assert_int_equal(set(f, "OwnBook", "true"), STATUS_OK);
    for (int i = 0; i < 10; i++) {
        plays_from_book(f, &(SearchLimits){.depth = 4});
        assert_int_equal(f->result.depth, 1);
        assert_true(knows(own, f->result.root, f->result.best));
    }
    use_book(f);
    assert_true(plays_from_book(f, &(SearchLimits){.depth = 4}));
    assert_int_equal(set(f, "OwnBook", "false"), STATUS_OK);
    plays_from_book(f, &(SearchLimits){.depth = 4});
    assert_int_equal(f->result.depth, 4);
    assert_int_equal(set(f, "OwnBook", "true"), STATUS_OK);
    assert_int_equal(set(f, "BookFile", "<empty>"), STATUS_OK);
    plays_from_book(f, &(SearchLimits){.depth = 4});
    assert_int_equal(f->result.depth, 1);
    assert_true(knows(own, f->result.root, f->result.best));
    book_close(own);
}

static void test_asks_the_system_for_its_book(void **state)
{
    Fixture *f = *state;
    bool there = book_of_system() != NULL;
    assert_int_equal(set(f, "BookFile", "system"), there ? STATUS_OK : STATUS_MISSING);
    assert_non_null(strstr(f->why.text, there ? "entries" : "gnuchess-book"));
}

static void test_not_out_of_book(void **state)
{
    Fixture *f = *state;
    use_book(f);
    Move m = uci_move_read(engine_position(f->e), span_of("e2e4"));
    assert_int_equal(engine_play(f->e, m, &f->why), STATUS_OK);
    engine_go(f->e, NULL, &(SearchLimits){.depth = 4});
    engine_wait(f->e);
    assert_int_not_equal(f->result.best, MOVE_NONE);
    assert_int_equal(f->result.depth, 4);
}

static void test_bad_file_keeps_the_old_book(void **state)
{
    Fixture *f = *state;
    use_book(f);
    assert_int_equal(set(f, "BookFile", "/nonexistent/book.bin"), STATUS_MISSING);
    assert_string_equal(f->why.text, "BookFile: /nonexistent/book.bin: No such file or directory");
    assert_string_equal(engine_string(f->e, OPTION_BOOK_FILE), f->path);
    assert_true(plays_from_book(f, &(SearchLimits){.depth = 4}));
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_answers_at_once, begin, end),
        cmocka_unit_test_setup_teardown(test_not_when_analysing, begin, end),
        cmocka_unit_test_setup_teardown(test_has_one_inside, begin, end),
        cmocka_unit_test_setup_teardown(test_asks_the_system_for_its_book, begin, end),
        cmocka_unit_test_setup_teardown(test_not_out_of_book, begin, end),
        cmocka_unit_test_setup_teardown(test_bad_file_keeps_the_old_book, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
