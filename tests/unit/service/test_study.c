/* Puzzles, the opening explorer and the drill, as the page asks for them. Without sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/thread.h"
#include "chess/attacks.h"
#include "service/service.h"
#include "ws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

typedef struct Fixture {
    char dir[64];
    ServiceOptions options;
    Service *service;
    ServiceClient *client;
    Mutex lock;
    json_t *answer;
    int64_t asked;
} Fixture;

/* Legal's mate: the move that wins is Bxf7+. The others are there to be counted. */
static const char games[] =
    "[White \\\"Ada\\\"]\\n[Black \\\"Ben\\\"]\\n[Result \\\"1-0\\\"]\\n\\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 "
    "4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\\n\\n"
    "[White \\\"Ada\\\"]\\n[Black \\\"Cid\\\"]\\n[Result \\\"0-1\\\"]\\n\\n1. Nf3 e5 2. e4 Nc6 3. h4 d5 0-1\\n\\n"
    "[White \\\"Dan\\\"]\\n[Black \\\"Ada\\\"]\\n[Result \\\"1/2-1/2\\\"]\\n\\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 "
    "1/2-1/2\\n";

static void hear(void *connection, const char *text, size_t len)
{
    Fixture *f = connection;
    json_t *j = json_loadb(text, len, 0, NULL);
    mutex_lock(&f->lock);
    if (ws_int(j, "id") == f->asked && !f->answer)
        f->answer = j;
    else
        json_decref(j);
    mutex_unlock(&f->lock);
}

/* The answer is the caller's. */
static json_t *ask(Fixture *f, const char *what)
{
    char text[2048];
    json_t *answer = NULL;
    mutex_lock(&f->lock);
    f->asked++;
    mutex_unlock(&f->lock);
    snprintf(text, sizeof text, "{\"id\":%lld,%s}", (long long)f->asked, what);
    assert_int_equal(service_message(f->client, span_of(text)), 0);
    for (int64_t end = clock_now_ms() + PATIENCE_MS; !answer && clock_now_ms() < end;) {
        mutex_lock(&f->lock);
        answer = f->answer;
        f->answer = NULL;
        mutex_unlock(&f->lock);
        clock_sleep_ms(answer ? 0 : 2);
    }
    assert_non_null(answer);
    return answer;
}

static bool says(Fixture *f, const char *what, const char *path, const char *value)
{
    json_t *j = ask(f, what);
    bool said = value ? ws_is(j, path, value) : json_is_null(ws_at(j, path));
    if (!said) {
        char *text = json_dumps(j, 0);
        print_message("%s: %s\n", what, text);
        free(text);
    }
    json_decref(j);
    return said;
}

static int64_t number(Fixture *f, const char *what, const char *path)
{
    json_t *j = ask(f, what);
    int64_t n = ws_int(j, path);
    json_decref(j);
    return n;
}

static int set_up(void **state)
{
    Message why;
    Fixture *f = calloc(1, sizeof *f);
    chess_init();
    snprintf(f->dir, sizeof f->dir, "/tmp/castellan-study-XXXXXX");
    f->options.data = mkdtemp(f->dir);
    mutex_init(&f->lock);
    if (!f->options.data || service_open(&f->service, &f->options, &why) != STATUS_OK)
        return -1;
    f->client = service_connect(f->service, hear, f);
    json_decref(ask(f, "\"do\":\"hello\""));
    json_decref(ask(f, "\"do\":\"players.create\",\"name\":\"Ada\""));
    char text[1024];
    snprintf(text, sizeof text, "\"do\":\"pgn.import\",\"pgn\":\"%s\"", games);
    assert_int_equal(number(f, text, "data.imported"), 3);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    char command[128];
    service_stop(f->service);
    service_disconnect(f->client);
    service_close(f->service);
    json_decref(f->answer);
    mutex_free(&f->lock);
    snprintf(command, sizeof command, "rm -r '%s'", f->dir);
    int removed = system(command);
    free(f);
    return removed;
}

static int64_t make_puzzles(Fixture *f)
{
    json_decref(ask(f, "\"do\":\"puzzles.make\""));
    for (int64_t end = clock_now_ms() + PATIENCE_MS; clock_now_ms() < end;) {
        json_t *j = ask(f, "\"do\":\"puzzles.state\"");
        bool done = json_is_null(ws_at(j, "data.state.job"));
        int64_t total = ws_int(j, "data.state.total");
        json_decref(j);
        if (done)
            return total;
        clock_sleep_ms(200); /* not faster than a client may ask */
    }
    return -1;
}

static void puzzles_are_made_and_solved(void **state)
{
    Fixture *f = *state;
    assert_true(make_puzzles(f) >= 1);
    json_t *j = ask(f, "\"do\":\"puzzles.next\",\"theme\":\"mate\"");
    assert_true(ws_is(j, "data.puzzle.color", "white"));
    assert_int_equal(ws_int(j, "data.puzzle.ply"), 11);
    assert_int_equal(ws_int(j, "data.puzzle.length"), 2);
    assert_true(ws_is(j, "data.puzzle.last.to", "d1"));
    long long id = (long long)ws_int(j, "data.puzzle.id");
    int64_t before = ws_int(j, "data.state.rating");
    json_decref(j);
    char text[256];
    snprintf(text, sizeof text, "\"do\":\"puzzles.try\",\"puzzle\":%lld,\"moves\":[\"c4f7\"]", id);
    assert_true(says(f, text, "data.verdict", "right"));
    assert_true(says(f, text, "data.reply.uci", "e8e7"));
    snprintf(text, sizeof text, "\"do\":\"puzzles.try\",\"puzzle\":%lld,\"moves\":[\"c4f8\"]", id);
    assert_true(says(f, text, "error.code", "illegal"));
    snprintf(text, sizeof text,
             "\"do\":\"puzzles.try\",\"puzzle\":%lld,\"moves\":[\"c3d1\",\"d8g5\",\"e5f7\"]", id);
    assert_true(says(f, text, "error.code", "bad"));
    snprintf(text, sizeof text,
             "\"do\":\"puzzles.try\",\"puzzle\":%lld,\"moves\":[\"c4f7\",\"e8e7\",\"c3d5\"]", id);
    j = ask(f, text);
    assert_true(ws_is(j, "data.verdict", "solved"));
    assert_true(ws_is(j, "data.solution.line.0.uci", "c4f7"));
    assert_true(ws_is(j, "data.solution.themes.0.name", "mate"));
    assert_true(ws_int(j, "data.state.rating") > before);
    assert_int_equal(ws_int(j, "data.state.today.solved"), 1);
    json_decref(j);
    /* Once is enough: the rating stays, and it is not asked again. */
    int64_t after = number(f, text, "data.state.rating");
    assert_int_equal(after, number(f, text, "data.state.rating"));
    assert_true(says(f, "\"do\":\"puzzles.next\",\"theme\":\"mate\"", "data.puzzle", NULL));
}

static void puzzles_can_be_failed(void **state)
{
    Fixture *f = *state;
    char text[128];
    assert_true(make_puzzles(f) >= 1);
    json_t *j = ask(f, "\"do\":\"puzzles.next\",\"theme\":\"mate\"");
    long long id = (long long)ws_int(j, "data.puzzle.id");
    int64_t before = ws_int(j, "data.state.rating");
    json_decref(j);
    snprintf(text, sizeof text, "\"do\":\"puzzles.try\",\"puzzle\":%lld,\"moves\":[\"c3d1\"]", id);
    assert_true(says(f, text, "data.verdict", "wrong"));
    snprintf(text, sizeof text, "\"do\":\"puzzles.hint\",\"puzzle\":%lld,\"moves\":[]", id);
    assert_true(says(f, text, "data.from", "c4"));
    snprintf(text, sizeof text, "\"do\":\"puzzles.show\",\"puzzle\":%lld", id);
    assert_true(says(f, text, "data.line.2.san", "Nd5#"));
    assert_true(number(f, "\"do\":\"puzzles.state\"", "data.state.rating") < before);
    /* It comes back when nothing else is left. */
    j = ask(f, "\"do\":\"puzzles.next\",\"theme\":\"mate\"");
    assert_int_equal(ws_int(j, "data.puzzle.id"), id);
    assert_true(ws_is(j, "data.puzzle.result", "failed"));
    json_decref(j);
    snprintf(text, sizeof text, "\"do\":\"puzzles.drop\",\"puzzle\":%lld", id);
    json_decref(ask(f, text));
    snprintf(text, sizeof text, "\"do\":\"puzzles.get\",\"puzzle\":%lld", id);
    assert_true(says(f, text, "error.code", "missing"));
    assert_true(says(f, "\"do\":\"puzzles.next\",\"theme\":\"x\"", "error.code", "bad"));
    json_decref(ask(f, "\"do\":\"players.create\",\"name\":\"Eve\""));
    assert_true(says(f, "\"do\":\"puzzles.next\"", "data.puzzle", NULL));
}

static void explorer_counts_games(void **state)
{
    Fixture *f = *state;
    /* One of them comes to the position by other moves. */
    json_t *j = ask(f, "\"do\":\"explorer\",\"moves\":[\"e2e4\",\"e7e5\",\"g1f3\"]");
    assert_int_equal(ws_int(j, "data.games"), 3);
    assert_true(ws_is(j, "data.moves.0.san", "Nc6"));
    assert_int_equal(ws_int(j, "data.moves.0.games"), 2);
    assert_int_equal(ws_int(j, "data.moves.0.draws"), 1);
    assert_int_equal(ws_int(j, "data.moves.0.black"), 1);
    assert_int_equal(ws_int(j, "data.moves.1.white"), 1);
    assert_non_null(ws_at(j, "data.book.0.uci"));
    assert_non_null(ws_text(j, "data.opening.name"));
    json_decref(j);
    assert_int_equal(number(f, "\"do\":\"explorer\",\"kind\":\"play\"", "data.games"), 0);
    assert_true(says(f, "\"do\":\"explorer\",\"color\":\"red\"", "error.code", "bad"));
    assert_true(says(f, "\"do\":\"explorer\",\"moves\":[\"e2e5\"]", "error.code", "illegal"));
}

static void theory_is_left(void **state)
{
    Fixture *f = *state;
    json_t *j = ask(f, "\"do\":\"games.list\",\"search\":\"Cid\"");
    long long id = (long long)ws_int(j, "data.games.0.id");
    json_decref(j);
    char text[128];
    snprintf(text, sizeof text, "\"do\":\"explorer.left\",\"game\":%lld", id);
    j = ask(f, text);
    assert_int_equal(ws_int(j, "data.known"), 4);
    assert_int_equal(ws_int(j, "data.ply"), 5);
    assert_true(ws_is(j, "data.san", "h4"));
    assert_true(ws_is(j, "data.color", "white"));
    assert_int_equal(ws_int(j, "data.before"), 1);
    assert_non_null(ws_at(j, "data.book.0.san"));
    json_decref(j);
    assert_true(says(f, "\"do\":\"explorer.left\",\"game\":999", "error.code", "missing"));
}

static void lines_are_drilled(void **state)
{
    Fixture *f = *state;
    const char *add =
        "\"do\":\"drill.add\",\"color\":\"white\",\"moves\":[\"e2e4\",\"e7e5\",\"g1f3\","
        "\"b8c6\",\"f1b5\"]";
    json_t *j = ask(f, add);
    assert_true(ws_is(j, "data.line.moves.4.san", "Bb5"));
    assert_non_null(strstr(ws_text(j, "data.line.name"), "Ruy Lopez"));
    long long id = (long long)ws_int(j, "data.line.id");
    json_decref(j);
    assert_int_equal(number(f, add, "data.line.id"), id); /* the same line */
    assert_int_equal(number(f, "\"do\":\"drill.list\"", "data.due"), 1);
    char text[128];
    snprintf(text, sizeof text, "\"do\":\"drill.done\",\"line\":%lld,\"errors\":0", id);
    assert_int_equal(number(f, text, "data.line.box"), 1);
    assert_int_equal(number(f, text, "data.line.box"), 2);
    assert_int_equal(number(f, "\"do\":\"drill.list\"", "data.due"), 0);
    snprintf(text, sizeof text, "\"do\":\"drill.done\",\"line\":%lld,\"errors\":2", id);
    assert_int_equal(number(f, text, "data.line.box"), 1);
    snprintf(text, sizeof text, "\"do\":\"drill.remove\",\"line\":%lld", id);
    json_decref(ask(f, text));
    assert_true(says(f, text, "error.code", "missing"));
    assert_true(says(f, "\"do\":\"drill.add\",\"color\":\"white\",\"moves\":[\"e2e4\"]",
                     "error.code", "bad"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(puzzles_are_made_and_solved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(puzzles_can_be_failed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(explorer_counts_games, set_up, tear_down),
        cmocka_unit_test_setup_teardown(theory_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lines_are_drilled, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
