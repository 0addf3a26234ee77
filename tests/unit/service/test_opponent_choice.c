/* Opponents with settings as the page chooses them: the table, files of the folder, games,
 * refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "chess/attacks.h"
#include "service/service.h"
#include "ws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Fixture {
    char dir[64], path[128];
    ServiceOptions options;
    Service *service;
    ServiceClient *client;
    Mutex lock;
    json_t *arrived; /* not looked at yet */
    int id;
    json_t *answer, *event; /* the last of each */
} Fixture;

static void take(void *connection, const char *text, size_t len)
{
    Fixture *f = connection;
    mutex_lock(&f->lock);
    json_array_append_new(f->arrived, json_loadb(text, len, 0, NULL));
    mutex_unlock(&f->lock);
}

/* Sorts what has come; true when the answer to the last question is there. */
static bool receive(Fixture *f)
{
    size_t index;
    json_t *j;
    mutex_lock(&f->lock);
    json_array_foreach(f->arrived, index, j)
    {
        json_t **slot = json_object_get(j, "event") ? &f->event : &f->answer;
        json_decref(*slot);
        *slot = json_incref(j);
    }
    json_array_clear(f->arrived);
    mutex_unlock(&f->lock);
    return f->answer && ws_int(f->answer, "id") == f->id;
}

static void write_file(Fixture *f, const char *name, const char *text)
{
    char path[160];
    Message why;
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    assert_int_equal(file_write_atomic(path, text, strlen(text), &why), STATUS_OK);
}

static bool ask(Fixture *f, const char *rest)
{
    char text[1024];
    snprintf(text, sizeof text, "{\"id\":%d,%s}", ++f->id, rest);
    assert_int_equal(service_message(f->client, span_of(text)), 0);
    for (int i = 0; i < 3000 && !receive(f); i++)
        clock_sleep_ms(10);
    assert_int_equal(ws_int(f->answer, "id"), f->id);
    return json_is_true(json_object_get(f->answer, "ok"));
}

static int set_up(void **state)
{
    Message why;
    Fixture *f = calloc(1, sizeof *f);
    chess_init();
    snprintf(f->dir, sizeof f->dir, "/tmp/castellan-choice-XXXXXX");
    if (!mkdtemp(f->dir))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/opponents", f->dir);
    if (mkdir(f->path, 0700) != 0)
        return -1;
    f->options.data = f->dir;
    f->arrived = json_array();
    mutex_init(&f->lock);
    if (service_open(&f->service, &f->options, &why) != STATUS_OK)
        return -1;
    f->client = service_connect(f->service, take, f);
    write_file(f, "queen.txt", "1\n51 35 END\n");
    write_file(f, "rook.txt", "WHITE\n3\nWK 60\nBK 4\nBR 0\nFALSE\nFALSE\nFALSE\nFALSE\n0\n");
    write_file(f, "good.weights",
               "evaluator adaptive\nmaterial 100\nmobility 10\ndevelopment 5\ncentre 1\n");
    *state = f;
    return ask(f, "\"do\":\"hello\"") ? 0 : -1;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    char command[128];
    service_disconnect(f->client);
    service_stop(f->service);
    service_close(f->service);
    json_decref(f->answer);
    json_decref(f->event);
    json_decref(f->arrived);
    mutex_free(&f->lock);
    snprintf(command, sizeof command, "rm -r %s", f->dir);
    int failed = system(command);
    free(f);
    return failed;
}

/* A game against the opponent, as White. */
static bool begin(Fixture *f, const char *opponent)
{
    char text[512];
    snprintf(text, sizeof text,
             "\"do\":\"game.new\",\"color\":\"white\",\"opponent\":{\"kind\":\"program\",%s}",
             opponent);
    return ask(f, text);
}

static void table_has_the_settings(void **state)
{
    Fixture *f = *state;
    size_t index;
    json_t *row;
    assert_true(ask(f, "\"do\":\"opponents\""));
    assert_int_equal(json_array_size(ws_at(f->answer, "data.files")), 3);
    assert_int_equal(json_array_size(ws_at(f->answer, "data.opponents.0.settings")), 0);
    int seen = 0;
    json_array_foreach(ws_at(f->answer, "data.opponents"), index, row)
    {
        if (ws_is(row, "name", "sifaka")) {
            assert_true(ws_is(row, "settings.0.key", "analyser"));
            assert_true(ws_is(row, "settings.0.kind", "choice"));
            assert_true(ws_is(row, "settings.0.words.1", "minimax"));
            assert_true(ws_is(row, "settings.1.default", "sifaka")); /* the row's own */
            seen++;
        } else if (ws_is(row, "name", "adaptive")) {
            assert_true(ws_is(row, "settings.0.kind", "files"));
            assert_true(ws_is(row, "settings.0.words.1", "evolved"));
            assert_int_equal(ws_int(row, "settings.1.max"), 64);
            seen++;
        }
    }
    assert_int_equal(seen, 2);
}

static void games_have_them(void **state)
{
    Fixture *f = *state;
    assert_true(begin(f, "\"name\":\"mantis\",\"settings\":{\"analyser\":\"minimax\"}"));
    assert_true(ws_is(f->answer, "data.game.black.name", "mantis,analyser=minimax"));
    assert_true(ws_is(f->answer, "data.game.black.title", "Chess Mantis (analyser=minimax)"));
    assert_true(json_is_null(ws_at(f->answer, "data.game.black.rating")));
    assert_true(json_is_false(ws_at(f->answer, "data.game.rated")));
    assert_true(begin(f, "\"name\":\"mantis\",\"settings\":{}"));
    assert_true(json_is_true(ws_at(f->answer, "data.game.rated")));
    assert_true(begin(f, "\"name\":\"javachess\",\"settings\":{\"position\":\"rook.txt\"}"));
    assert_true(ws_is(f->answer, "data.game.start_fen", "r3k3/8/8/8/8/8/8/4K3 w - - 0 1"));
    assert_true(json_is_false(ws_at(f->answer, "data.game.rated")));
    assert_true(begin(f, "\"name\":\"adaptive\",\"settings\":{\"weights\":\"good.weights\"}"));
}

/* Only a book with this one move makes JavaChess open so. */
static void settings_reach_the_opponent(void **state)
{
    Fixture *f = *state;
    Message why;
    assert_true(ask(f, "\"do\":\"game.new\",\"color\":\"black\",\"opponent\":{\"kind\":\"program\","
                       "\"name\":\"javachess\",\"settings\":{\"book\":\"queen.txt\"}}"));
    for (int i = 0; i < 300 && !(f->event && ws_at(f->event, "data.moves.0")); i++) {
        assert_int_equal(service_run_once(f->service, &why), STATUS_OK);
        receive(f);
    }
    assert_true(ws_is(f->event, "data.moves.0.uci", "d2d4"));
}

static void bad_ones_are_refused(void **state)
{
    Fixture *f = *state;
    static const struct {
        const char *opponent, *message;
    } bad[] = {
        {"\"name\":\"mantis\",\"settings\":{\"evaluator\":\"baboon\"}",
         "evaluator: invalid value 'baboon': marmoset, capuchin, sifaka, macaque, mantis"},
        {"\"name\":\"adaptive\",\"settings\":{\"depth\":\"65\"}",
         "depth: invalid value '65': 1 to 64"},
        {"\"name\":\"adaptive\",\"settings\":{\"depth\":3}",
         "the value of 'depth' is not a string"},
        {"\"name\":\"adaptive\",\"settings\":[]", "expected an object of strings"},
        {"\"name\":\"mantis\",\"settings\":{\"level\":\"hard\"}",
         "no setting 'level': it has analyser, evaluator, random"},
        {"\"name\":\"mantis\",\"settings\":{\"random\":\"on,evaluator=sifaka\"}",
         "commas are not accepted"},
        {"\"name\":\"mantis,random=on\"", "no opponent 'mantis'"},
        {"\"name\":\"castellan\",\"settings\":{\"depth\":\"1\"}", "no settings of an opponent"},
        {"\"name\":\"javachess\",\"settings\":{\"book\":\"/etc/passwd\"}",
         "book: invalid value '/etc/passwd': none, or ruy-lopez and book files"},
        {"\"name\":\"javachess\",\"settings\":{\"book\":\"../castellan.db\"}",
         "book: invalid value"},
        {"\"name\":\"javachess\",\"settings\":{\"book\":\"queen.txt+.\"}", "book: invalid value"},
        {"\"name\":\"javachess\",\"settings\":{\"position\":\"nothing.txt\"}",
         "position: invalid value 'nothing.txt': a position file"},
        {"\"name\":\"adaptive\",\"settings\":{\"weights\":\"queen.txt\"}", "evaluator adaptive"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(begin(f, bad[i].opponent));
        const char *message = ws_text(f->answer, "error.message");
        if (!message || !strstr(message, bad[i].message))
            fail_msg("%s: %s", bad[i].opponent, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_has_the_settings),
        cmocka_unit_test(games_have_them),
        cmocka_unit_test(settings_reach_the_opponent),
        cmocka_unit_test(bad_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
