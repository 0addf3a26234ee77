/* A session: options that take effect, the game, thinking and its events. */
#include "engine/engine_int.h"

#include "base/clock.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "engine/bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct Heard {
    int lines, done, past_the_end, pv_length;
    Move last;       /* the first of the last line */
    bool last_other; /* a search ended with another move than its last line */
    bool pv_was_illegal;
    EngineResult result;
} Heard;

/* Counts PVs that go on after the game would be drawn, and moves that cannot be made. */
static void on_line(void *user, const EngineLine *line)
{
    Heard *h = user;
    Position p = *line->root;
    Undo undo;
    h->lines++;
    h->pv_length = line->pv_length;
    h->last = line->pv_length ? line->pv[0] : MOVE_NONE;
    for (int i = 0; i < line->pv_length; i++) {
        if (i > 0 && (draw_by_repetition(&p, i) || p.st.rule50 >= 100 || draw_by_material(&p)))
            h->past_the_end++;
        if (!pos_is_legal(&p, line->pv[i])) {
            h->pv_was_illegal = true;
            return;
        }
        pos_make(&p, line->pv[i], &undo);
    }
}

static void on_done(void *user, const EngineResult *result)
{
    Heard *h = user;
    h->done++;
    h->last_other |= result->told && result->best != h->last;
    h->result = *result;
}

typedef struct Fixture {
    Engine *e;
    Heard heard;
    Message why;
} Fixture;

static int open_engine(void **state)
{
    static Fixture f;
    f = (Fixture){0};
    chess_init();
    EngineEvents events = {&f.heard, on_line, NULL, on_done};
    *state = &f;
    return engine_create(&f.e, &events, &f.why) == STATUS_OK ? 0 : -1;
}

static int close_engine(void **state)
{
    Fixture *f = *state;
    engine_destroy(f->e);
    return 0;
}

static Status set(Fixture *f, const char *name, const char *value)
{
    return engine_set_option(f->e, span_of(name), span_of(value), &f->why);
}

static void play(Fixture *f, const char *moves)
{
    Span rest = span_of(moves), word;
    while (span_next_word(&rest, &word)) {
        Move m = uci_move_read(engine_position(f->e), word);
        assert_int_equal(engine_play(f->e, m, &f->why), STATUS_OK);
    }
}

static void assert_fen(Fixture *f, const char *expected)
{
    char fen[FEN_SIZE];
    fen_write(engine_position(f->e), FEN_X, fen);
    assert_string_equal(fen, expected);
}

static void go_and_wait(Fixture *f, SearchLimits limits)
{
    engine_go(f->e, NULL, &limits);
    engine_wait(f->e);
}

static void test_options(void **state)
{
    Fixture *f = *state;
    assert_int_equal(engine_number(f->e, OPTION_HASH), 16);
    assert_int_equal(set(f, "Hash", "4"), STATUS_OK);
    assert_string_equal(f->why.text, "");
    assert_int_equal(engine_number(f->e, OPTION_HASH), 4);
    assert_int_equal(set(f, "Hash", "33554432"), STATUS_MEMORY);
    assert_int_equal(engine_number(f->e, OPTION_HASH), 4);
    assert_non_null(strstr(f->why.text, "Hash: "));
    assert_int_equal(set(f, "Hash", "x"), STATUS_INVALID);
    assert_int_equal(set(f, "Nothing", "1"), STATUS_MISSING);
    assert_int_equal(set(f, "UCI_Opponent", "GM 2800 human Somebody"), STATUS_OK);
    assert_string_equal(engine_string(f->e, OPTION_OPPONENT_NAME), "GM 2800 human Somebody");
    assert_int_not_equal(set(f, "SyzygyPath", "/nonexistent"), STATUS_OK);
    assert_string_equal(engine_string(f->e, OPTION_SYZYGY_PATH), "");
}

static void test_game(void **state)
{
    Fixture *f = *state;
    play(f, "e2e4 e7e5 g1f3");
    assert_fen(f, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assert_int_equal(engine_play(f->e, MOVE_NONE, &f->why), STATUS_INVALID);
    assert_int_equal(engine_play(f->e, 0xffff, &f->why), STATUS_INVALID);
    assert_int_equal(engine_set_fen(f->e, span_of("8/8/8/8 w"), &f->why), STATUS_INVALID);
    assert_fen(f, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

static void test_chess960_rereads_the_game(void **state)
{
    Fixture *f = *state;
    char text[UCI_MOVE_SIZE];
    assert_int_equal(engine_set_fen(f->e, span_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), &f->why), 0);
    Move castling = uci_move_read(engine_position(f->e), span_of("e1g1"));
    assert_int_equal(set(f, "UCI_Chess960", "true"), STATUS_OK);
    uci_move_write(engine_position(f->e), castling, text);
    assert_string_equal(text, "e1h1");
    assert_int_equal(set(f, "UCI_Chess960", "false"), STATUS_OK);
    uci_move_write(engine_position(f->e), castling, text);
    assert_string_equal(text, "e1g1");
}

static void test_thinking(void **state)
{
    Fixture *f = *state;
    go_and_wait(f, (SearchLimits){.depth = 6});
    assert_int_equal(f->heard.done, 1);
    assert_true(f->heard.lines >= 6);
    assert_true(pos_is_legal(engine_position(f->e), f->heard.result.best));
    assert_true(f->heard.result.told);
    /* Another go ends the first, and both answer. */
    engine_go(f->e, NULL, &(SearchLimits){.infinite = true});
    engine_go(f->e, NULL, &(SearchLimits){.depth = 1});
    engine_wait(f->e);
    assert_int_equal(f->heard.done, 3);
    engine_stop(f->e);
    engine_ponderhit(f->e);
    engine_wait(f->e);
    assert_int_equal(f->heard.done, 3);
}

/* The search may end at any point of the call. */
static void test_ponderhit_while_a_search_ends(void **state)
{
    Fixture *f = *state;
    for (int i = 1; i <= 2000; i++) {
        engine_go(f->e, NULL, &(SearchLimits){.depth = 1});
        while (engine_thinking(f->e))
            engine_ponderhit(f->e);
        engine_wait(f->e);
        assert_int_equal(f->heard.done, i);
    }
}

static void test_options_end_a_search(void **state)
{
    Fixture *f = *state;
    engine_go(f->e, NULL, &(SearchLimits){.infinite = true});
    assert_int_equal(set(f, "Threads", "2"), STATUS_OK);
    assert_int_equal(f->heard.done, 1);
    assert_false(engine_thinking(f->e));
}

static void test_no_moves(void **state)
{
    Fixture *f = *state;
    engine_set_fen(f->e, span_of("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), &f->why);
    go_and_wait(f, (SearchLimits){.depth = 3});
    assert_int_equal(f->heard.result.best, MOVE_NONE);
    assert_true(f->heard.result.score.is_mate);
    assert_int_equal(f->heard.result.score.value, 0);
    engine_set_fen(f->e, span_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), &f->why);
    go_and_wait(f, (SearchLimits){.depth = 3});
    assert_int_equal(f->heard.result.best, MOVE_NONE);
    assert_false(f->heard.result.score.is_mate);
}

/* Positions where lines want to run into draws: perpetual checks, the counter at its end, bare
 * kings after a capture. */
static void test_lines_end_with_the_game(void **state)
{
    Fixture *f = *state;
    static const char *const fens[] = {
        "6k1/5ppp/8/8/8/5q2/7P/Q6K w - - 0 1",
        "8/8/4k3/3R4/4K3/8/8/3r4 w - - 97 120",
        "8/8/8/3k4/8/3K4/3p4/3B4 w - - 0 1",
        "5rk1/5ppp/8/8/8/8/q4PPP/3Q2K1 w - - 90 80",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        assert_int_equal(engine_set_fen(f->e, span_of(fens[i]), &f->why), STATUS_OK);
        go_and_wait(f, (SearchLimits){.depth = 12});
    }
    /* A game that has seen its position before. */
    engine_set_fen(f->e, span_of(FEN_START), &f->why);
    play(f, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    go_and_wait(f, (SearchLimits){.depth = 10});
    assert_true(f->heard.lines > 20);
    assert_int_equal(f->heard.past_the_end, 0);
    assert_false(f->heard.pv_was_illegal);
}

/* Searches cut short at any point still end with the move they showed last. */
static void test_last_line_is_the_move(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < bench_count(); i++) {
        assert_int_equal(engine_set_fen(f->e, span_of(bench_fen(i)), &f->why), STATUS_OK);
        for (uint64_t nodes = 300; nodes < 20000; nodes += nodes / 2)
            go_and_wait(f, (SearchLimits){.nodes = nodes});
    }
    assert_false(f->heard.last_other);
}

/* Lines as a search might tell them, given straight to the session. */
static void tell(Fixture *f, const char *fen, const char *moves, int expected)
{
    Position p;
    Move pv[16];
    Undo undo;
    int length = 0;
    Span rest = span_of(moves), word;
    assert_int_equal(fen_parse(&p, span_of(fen), false, &f->why), STATUS_OK);
    f->e->run.root = p;
    while (span_next_word(&rest, &word)) {
        pv[length] = uci_move_read(&p, word);
        if (pv[length] != MOVE_NONE)
            pos_make(&p, pv[length], &undo);
        length++;
    }
    report_line(f->e,
                &(SearchLine){.multipv = 1, .bound = BOUND_EXACT, .pv = pv, .pv_length = length});
    assert_int_equal(f->heard.pv_length, expected);
}

static void test_lines_are_cut(void **state)
{
    Fixture *f = *state;
    tell(f, FEN_START, "g1f3 g8f6 f3g1 f6g8 g1f3 e7e5", 5);
    tell(f, FEN_START, "g1f3 g8f6 f3g1 f6d5 e2e4", 5);
    tell(f, "4k3/8/8/8/8/8/8/4K2R w - - 97 80", "h1h2 e8e7 h2h3 e7e6 h3h4", 3);
    tell(f, "4k3/8/8/8/8/8/8/4Kr2 w - - 0 1", "e1f1 e8e7 f1f2", 1);
    tell(f, FEN_START, "e2e4 e7e4 d2d4", 1);
    tell(f, FEN_START, "", 0);
}

static void test_quiet_thinking_tells_nothing(void **state)
{
    Fixture *f = *state;
    EngineResult r = engine_think_quietly(f->e, NULL, &(SearchLimits){.nodes = 500});
    assert_true(pos_is_legal(engine_position(f->e), r.best));
    assert_int_equal(f->heard.lines, 0);
    assert_int_equal(f->heard.done, 0);
}

static void test_policy(void **state)
{
    (void)state;
    Policy p = {0};
    EngineScore lost = {.value = -1200}, worse = {.value = -10}, better = {.value = 30};
    assert_false(policy_accepts_draw(&p) || policy_resigns(&p));
    policy_note_score(&p, &better);
    assert_false(policy_accepts_draw(&p));
    for (int i = 0; i < 3; i++)
        policy_note_score(&p, &lost);
    policy_note_score(&p, &worse); /* four in a row are needed */
    assert_true(policy_accepts_draw(&p) && !policy_resigns(&p));
    for (int i = 0; i < 4; i++)
        policy_note_score(&p, &lost);
    assert_true(policy_resigns(&p));
    policy_forget(&p);
    assert_false(policy_accepts_draw(&p) || policy_resigns(&p));
}

#define WITH_ENGINE(test) cmocka_unit_test_setup_teardown(test, open_engine, close_engine)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ENGINE(test_options),
        WITH_ENGINE(test_game),
        WITH_ENGINE(test_chess960_rereads_the_game),
        WITH_ENGINE(test_thinking),
        WITH_ENGINE(test_ponderhit_while_a_search_ends),
        WITH_ENGINE(test_options_end_a_search),
        WITH_ENGINE(test_no_moves),
        WITH_ENGINE(test_lines_end_with_the_game),
        WITH_ENGINE(test_last_line_is_the_move),
        WITH_ENGINE(test_lines_are_cut),
        WITH_ENGINE(test_quiet_thinking_tells_nothing),
        cmocka_unit_test(test_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
