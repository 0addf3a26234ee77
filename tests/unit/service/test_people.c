/* Games of two people: seats, consent, rematch, and what strangers may not do. Without sockets. */
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

enum { PATIENCE_MS = 20000 };

typedef struct Person {
    ServiceClient *client;
    Mutex lock;
    json_t *answer; /* to the last question */
    json_t *game;   /* the last snapshot that came as an event */
    int64_t asked, player;
} Person;

typedef struct Fixture {
    char dir[64];
    ServiceOptions options;
    Service *service;
    Person ada, ben, eve;
} Fixture;

static void hear(void *connection, const char *text, size_t len)
{
    Person *p = connection;
    json_t *j = json_loadb(text, len, 0, NULL);
    mutex_lock(&p->lock);
    json_t **kept = ws_int(j, "id") == p->asked ? &p->answer : &p->game;
    json_decref(*kept);
    *kept = j;
    mutex_unlock(&p->lock);
}

/* The answer is the caller's. */
static json_t *ask(Person *p, const char *what)
{
    char text[512];
    json_t *answer = NULL;
    mutex_lock(&p->lock);
    p->asked++;
    mutex_unlock(&p->lock);
    snprintf(text, sizeof text, "{\"id\":%lld,%s}", (long long)p->asked, what);
    assert_int_equal(service_message(p->client, span_of(text)), 0);
    for (int64_t end = clock_now_ms() + PATIENCE_MS; !answer && clock_now_ms() < end;) {
        mutex_lock(&p->lock);
        answer = p->answer;
        p->answer = NULL;
        mutex_unlock(&p->lock);
        clock_sleep_ms(answer ? 0 : 2);
    }
    assert_non_null(answer);
    return answer;
}

/* What the game says at that path; the game is changed by `what` about game `id`. */
static bool game_says(Person *p, const char *what, int64_t id, const char *path, const char *value)
{
    char text[256], full[64];
    snprintf(text, sizeof text, "\"do\":\"game.%s,\"game\":%lld", what, (long long)id);
    snprintf(full, sizeof full, "data.game.%s", path);
    json_t *j = ask(p, text);
    bool said = value ? ws_is(j, full, value) : json_is_null(ws_at(j, full));
    json_decref(j);
    return said;
}

static bool refused(Person *p, const char *what, int64_t id, const char *code)
{
    char text[256];
    snprintf(text, sizeof text, "\"do\":\"game.%s,\"game\":%lld", what, (long long)id);
    json_t *j = ask(p, text);
    bool is = ws_is(j, "error.code", code);
    json_decref(j);
    return is;
}

static bool moves(Person *p, int64_t id, int ply, const char *uci)
{
    char text[128];
    snprintf(text, sizeof text, "\"do\":\"game.move\",\"game\":%lld,\"ply\":%d,\"uci\":\"%s\"",
             (long long)id, ply, uci);
    json_t *j = ask(p, text);
    bool ok = ws_int(j, "data.game.ply") == ply + 1;
    json_decref(j);
    return ok;
}

static void join_service(Fixture *f, Person *p, const char *name)
{
    char text[128];
    mutex_init(&p->lock);
    p->client = service_connect(f->service, hear, p);
    json_decref(ask(p, "\"do\":\"hello\""));
    snprintf(text, sizeof text, "\"do\":\"players.create\",\"name\":\"%s\"", name);
    json_t *j = ask(p, text);
    p->player = ws_int(j, "data.player.id");
    json_decref(j);
}

static int set_up(void **state)
{
    Message why;
    Fixture *f = calloc(1, sizeof *f);
    chess_init();
    snprintf(f->dir, sizeof f->dir, "/tmp/castellan-people-XXXXXX");
    f->options.data = mkdtemp(f->dir);
    if (!f->options.data || service_open(&f->service, &f->options, &why) != STATUS_OK)
        return -1;
    join_service(f, &f->ada, "Ada");
    join_service(f, &f->ben, "Ben");
    join_service(f, &f->eve, "Eve");
    *state = f;
    return 0;
}

static void leave(Person *p)
{
    service_disconnect(p->client);
    json_decref(p->answer);
    json_decref(p->game);
    mutex_free(&p->lock);
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    char command[128];
    service_stop(f->service);
    leave(&f->ada);
    leave(&f->ben);
    leave(&f->eve);
    service_close(f->service);
    snprintf(command, sizeof command, "rm -r '%s'", f->dir);
    int removed = system(command);
    free(f);
    return removed;
}

static int64_t begin(Person *p, const char *more)
{
    char text[256];
    snprintf(text, sizeof text, "\"do\":\"game.people\",\"color\":\"white\"%s", more);
    json_t *j = ask(p, text);
    int64_t id = ws_int(j, "data.game.id");
    json_decref(j);
    assert_true(id > 0);
    return id;
}

static int64_t total_of(Person *p, const char *filter)
{
    char text[128];
    snprintf(text, sizeof text, "\"do\":\"games.list\"%s", filter);
    json_t *j = ask(p, text);
    int64_t total = ws_int(j, "data.total");
    json_decref(j);
    return total;
}

static void one_screen(void **state)
{
    Fixture *f = *state;
    int64_t id = begin(&f->ada, ",\"here\":true,\"name\":\"Grandpa\"");
    assert_true(game_says(&f->ada, "open\"", id, "people", "here"));
    assert_true(game_says(&f->ada, "open\"", id, "black.title", "Grandpa"));
    assert_true(moves(&f->ada, id, 0, "e2e4"));
    assert_true(moves(&f->ada, id, 1, "e7e5"));
    assert_false(moves(&f->eve, id, 2, "g1f3"));
    assert_true(refused(&f->ada, "hint\",\"stage\":1", id, "refused"));
    /* The last move goes, without anybody's consent. */
    assert_true(game_says(&f->ada, "takeback\"", id, "turn", "black"));
    assert_true(moves(&f->ada, id, 1, "c7c5"));
    assert_true(game_says(&f->ada, "resign\"", id, "result.winner", "black"));
    assert_true(game_says(&f->ada, "rematch\"", id, "white.title", "Grandpa"));
}

static void invitation(void **state)
{
    Fixture *f = *state;
    int64_t id = begin(&f->ada, "");
    assert_true(game_says(&f->ada, "open\"", id, "seat", "black"));
    assert_true(refused(&f->ada, "move\",\"ply\":0,\"uci\":\"e2e4\"", id, "refused"));
    assert_true(refused(&f->ada, "join\"", id, "refused"));
    assert_true(game_says(&f->ben, "join\"", id, "you", "black"));
    assert_true(game_says(&f->ben, "join\"", id, "you", "black")); /* asked again: the same */
    assert_true(refused(&f->eve, "join\"", id, "refused"));
    assert_true(game_says(&f->eve, "open\"", id, "you", NULL));
    assert_true(refused(&f->eve, "resign\"", id, "refused"));
    assert_true(moves(&f->ada, id, 0, "e2e4"));
    assert_false(moves(&f->ada, id, 1, "e7e5"));
    assert_true(moves(&f->ben, id, 1, "e7e5"));
    /* By consent. */
    assert_true(game_says(&f->ada, "takeback\"", id, "takeback", "white"));
    assert_true(game_says(&f->ben, "decline\"", id, "takeback", NULL));
    assert_true(game_says(&f->ada, "takeback\"", id, "turn", "white"));
    assert_true(game_says(&f->ben, "takeback\"", id, "last", NULL));
    assert_true(moves(&f->ada, id, 0, "d2d4"));
    assert_true(game_says(&f->ada, "draw\"", id, "offer", "white"));
    assert_true(game_says(&f->ben, "draw\"", id, "result.reason", "agreement"));
    /* It is a game of both, each with their own colour. */
    assert_int_equal(total_of(&f->ben, ""), 1);
    assert_int_equal(total_of(&f->ben, ",\"color\":\"black\",\"result\":\"drawn\""), 1);
    assert_int_equal(total_of(&f->ben, ",\"color\":\"white\""), 0);
    assert_int_equal(total_of(&f->eve, ""), 0);
    assert_true(refused(&f->eve, "rematch\"", id, "refused"));
    assert_true(game_says(&f->ben, "rematch\"", id, "you", "white"));
    assert_true(game_says(&f->ada, "rematch\"", id, "you", "black"));
}

static void wins_and_losses(void **state)
{
    Fixture *f = *state;
    int64_t id = begin(&f->ada, "");
    assert_true(game_says(&f->ben, "join\"", id, "seat", NULL));
    assert_true(moves(&f->ada, id, 0, "e2e4"));
    assert_true(game_says(&f->ada, "resign\"", id, "result.winner", "black"));
    assert_int_equal(total_of(&f->ben, ",\"result\":\"won\""), 1);
    assert_int_equal(total_of(&f->ada, ",\"result\":\"lost\""), 1);
    assert_int_equal(total_of(&f->ben, ",\"result\":\"lost\""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_screen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(invitation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wins_and_losses, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
