/* The server through a real socket: games, clocks, tabs, analysis, and everything a hostile client
 * may try. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/web_run.h"
#include "base/clock.h"
#include "base/thread.h"
#include "chess/attacks.h"
#include "store/store.h"
#include "ws.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 30000 };

typedef struct Fixture {
    WebOptions options;
    Thread thread;
    atomic_bool stop;
    atomic_int port;
    Status status;
    Message why;
    char dir[64], warning[512];
} Fixture;

/* -- A server -- */

static void be_ready(void *user, const char *url)
{
    Fixture *f = user;
    const char *colon = strrchr(url, ':');
    atomic_store(&f->port, (int)strtol(colon + 1, NULL, 10));
}

static bool be_stopped(void *user)
{
    return atomic_load(&((Fixture *)user)->stop);
}

static void *serve(void *arg)
{
    Fixture *f = arg;
    f->status = web_run(&f->options, &f->why);
    if (f->status != STATUS_OK)
        atomic_store(&f->port, -1);
    return NULL;
}

static void start(Fixture *f)
{
    Message why;
    atomic_store(&f->stop, false);
    atomic_store(&f->port, 0);
    f->options.user = f;
    f->options.ready = be_ready;
    f->options.stop = be_stopped;
    if (!f->options.server.host)
        f->options.server.host = "127.0.0.1";
    f->options.service.data = f->dir;
    if (thread_start(&f->thread, serve, f, 0, &why) != STATUS_OK)
        abort();
    while (!atomic_load(&f->port))
        clock_sleep_ms(5);
    if (atomic_load(&f->port) < 0)
        fail_msg("%s", f->why.text);
}

static void stop(Fixture *f)
{
    atomic_store(&f->stop, true);
    thread_join(f->thread);
}

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    chess_init();
    snprintf(f->dir, sizeof f->dir, "/tmp/castellan-web-XXXXXX");
    if (!mkdtemp(f->dir))
        return -1;
    start(f);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    static const char *const names[] = {"castellan.db", "castellan.db-wal", "castellan.db-shm",
                                        "castellan.lock"};
    char path[128];
    stop(f);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", f->dir, names[i]);
        unlink(path);
    }
    rmdir(f->dir);
    free(f);
    return 0;
}

static void greet(Ws *w, Fixture *f)
{
    json_t *j;
    assert_int_equal(ws_open_well(w, atomic_load(&f->port)), 101);
    assert_true(ws_ask(w, ",\"do\":\"hello\"", &j, PATIENCE));
    assert_true(ws_int(j, "data.player.id") >= 1);
    json_decref(j);
}

/* Asks, and keeps nothing of the answer but whether it was a yes. */
static bool ask(Ws *w, const char *rest)
{
    json_t *j;
    bool ok = ws_ask(w, rest, &j, PATIENCE);
    json_decref(j);
    return ok;
}

static int64_t new_game(Ws *w, const char *more)
{
    char text[512];
    json_t *j;
    snprintf(text, sizeof text,
             ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"level\",\"elo\":400}%s", more);
    assert_true(ws_ask(w, text, &j, PATIENCE));
    int64_t id = ws_int(j, "data.game.id");
    json_decref(j);
    return id;
}

static bool move(Ws *w, int64_t game, int ply, const char *uci, json_t **j)
{
    char text[160];
    snprintf(text, sizeof text, ",\"do\":\"game.move\",\"game\":%lld,\"ply\":%d,\"uci\":\"%s\"",
             (long long)game, ply, uci);
    return ws_ask(w, text, j, PATIENCE);
}

static bool refused_move(Ws *w, int64_t game, int ply, const char *uci, const char *code)
{
    json_t *j;
    bool right = !move(w, game, ply, uci, &j) && ws_is(j, "error.code", code);
    json_decref(j);
    return right;
}

static void open_game(Ws *w, int64_t game, json_t **j)
{
    char text[96];
    snprintf(text, sizeof text, ",\"do\":\"game.open\",\"game\":%lld", (long long)game);
    assert_true(ws_ask(w, text, j, PATIENCE));
}

/* Waits until the game has that many moves. */
static void await_ply(Ws *w, int ply, json_t **j)
{
    do {
        if (!ws_event(w, "game", j, PATIENCE))
            fail_msg("no move %d", ply);
        if (ws_int(*j, "data.ply") >= ply)
            return;
        json_decref(*j);
    } while (true);
}

/* -- Games -- */

static void plays_and_keeps(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    assert_true(refused_move(&w, id, 0, "e2e5", "illegal"));
    assert_true(refused_move(&w, id, 1, "e2e4", "stale"));
    assert_true(refused_move(&w, id + 7, 0, "e2e4", "missing"));
    assert_true(move(&w, id, 0, "e2e4", &j));
    assert_int_equal(ws_int(j, "data.game.ply"), 1);
    assert_true(ws_is(j, "data.game.moves.0.san", "e4"));
    assert_true(ws_is(j, "data.game.opening.eco", "B00"));
    json_decref(j);
    await_ply(&w, 2, &j);
    assert_true(ws_is(j, "data.turn", "white"));
    assert_non_null(ws_at(j, "data.dests.d2"));
    json_decref(j);
    /* Asked again after a lost answer: the same move, no second one. */
    assert_true(move(&w, id, 0, "e2e4", &j));
    assert_int_equal(ws_int(j, "data.game.ply"), 2);
    json_decref(j);
    ws_close(&w);
    stop(f);
    start(f);
    greet(&w, f);
    open_game(&w, id, &j);
    assert_int_equal(ws_int(j, "data.game.ply"), 2);
    json_decref(j);
    ws_close(&w);
}

static void promotes_castles_and_takes_in_passing(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    int64_t id =
        new_game(&w, ",\"color\":\"white\",\"fen\":\"4k3/P6p/8/8/8/8/8/R3K2R w KQ - 0 1\"");
    open_game(&w, id, &j);
    assert_true(ws_is(j, "data.game.promotions.0", "a7a8"));
    assert_false(ws_int(j, "data.game.rated") == 1);
    json_decref(j);
    assert_true(refused_move(&w, id, 0, "a7a8", "illegal"));
    assert_true(move(&w, id, 0, "a7a8n", &j));
    assert_true(ws_is(j, "data.game.moves.0.san", "a8=N"));
    json_decref(j);
    await_ply(&w, 2, &j);
    json_decref(j);
    assert_true(move(&w, id, 2, "e1h1", &j));
    assert_true(ws_is(j, "data.game.moves.2.uci", "e1g1"));
    assert_true(ws_is(j, "data.game.last.to", "g1"));
    json_decref(j);
    id = new_game(&w, ",\"color\":\"white\",\"fen\":\"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2\"");
    assert_true(move(&w, id, 0, "e5d6", &j));
    assert_true(ws_is(j, "data.game.moves.0.san", "exd6"));
    json_decref(j);
    ws_close(&w);
}

static void mates_and_rates(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\",\"fen\":\"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"");
    assert_true(move(&w, id, 0, "a1a8", &j));
    assert_true(ws_is(j, "data.game.result.score", "1-0"));
    assert_true(ws_is(j, "data.game.result.reason", "checkmate"));
    json_decref(j);
    assert_true(refused_move(&w, id, 1, "e1e2", "over"));
    id = new_game(&w, ",\"color\":\"black\"");
    await_ply(&w, 1, &j);
    json_decref(j);
    char text[96];
    snprintf(text, sizeof text, ",\"do\":\"game.resign\",\"game\":%lld", (long long)id);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    assert_true(ws_is(j, "data.game.result.score", "1-0"));
    assert_true(ws_int(j, "data.game.rating_change.after") <
                ws_int(j, "data.game.rating_change.before"));
    json_decref(j);
    assert_true(ws_ask(&w, ",\"do\":\"players.ratings\"", &j, PATIENCE));
    assert_int_equal(ws_int(j, "data.points.0.game"), id);
    json_decref(j);
    snprintf(text, sizeof text, ",\"do\":\"game.rematch\",\"game\":%lld", (long long)id);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    assert_true(ws_is(j, "data.game.you", "white"));
    int64_t next = ws_int(j, "data.game.id");
    json_decref(j);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    assert_int_equal(ws_int(j, "data.game.id"), next);
    json_decref(j);
    ws_close(&w);
}

static void takes_back_and_hints(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    char text[128];
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    snprintf(text, sizeof text, ",\"do\":\"game.takeback\",\"game\":%lld", (long long)id);
    assert_false(ask(&w, text));
    assert_true(move(&w, id, 0, "e2e4", &j));
    json_decref(j);
    assert_true(ws_ask(&w, text, &j, PATIENCE)); /* while it thinks */
    assert_int_equal(ws_int(j, "data.game.ply"), 0);
    assert_int_equal(ws_int(j, "data.game.takebacks"), 1);
    json_decref(j);
    assert_true(move(&w, id, 0, "d2d4", &j));
    json_decref(j);
    await_ply(&w, 2, &j);
    json_decref(j);
    snprintf(text, sizeof text, ",\"do\":\"game.hint\",\"game\":%lld,\"stage\":1", (long long)id);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    assert_non_null(ws_at(j, "data.from"));
    assert_null(ws_at(j, "data.uci"));
    json_decref(j);
    snprintf(text, sizeof text, ",\"do\":\"game.hint\",\"game\":%lld,\"stage\":2", (long long)id);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    assert_non_null(ws_at(j, "data.uci"));
    json_decref(j);
    ws_close(&w);
}

static void two_tabs_see_one_game(void **state)
{
    Fixture *f = *state;
    Ws a, b;
    json_t *j;
    greet(&a, f);
    greet(&b, f);
    int64_t id = new_game(&a, ",\"color\":\"white\"");
    open_game(&b, id, &j);
    int64_t version = ws_int(j, "data.game.version");
    json_decref(j);
    assert_true(move(&a, id, 0, "e2e4", &j));
    json_decref(j);
    assert_true(ws_event(&b, "game", &j, PATIENCE));
    assert_int_equal(ws_int(j, "data.ply"), 1);
    assert_true(ws_int(j, "data.version") > version);
    json_decref(j);
    ws_close(&a);
    await_ply(&b, 2, &j); /* the game goes on without the first tab */
    json_decref(j);
    ws_close(&b);
}

static void flags_fall(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\",\"clock\":{\"initial\":1500,\"increment\":0}");
    assert_true(move(&w, id, 0, "e2e4", &j));
    assert_true(json_is_null(ws_at(j, "data.game.clock.running")));
    json_decref(j);
    await_ply(&w, 2, &j);
    assert_true(ws_is(j, "data.clock.running", "white"));
    /* By the server's time: on a busy machine messages are late. */
    int64_t begun = ws_int(j, "data.now"), ended;
    json_decref(j);
    do {
        assert_true(ws_event(&w, "game", &j, PATIENCE));
        ended = ws_int(j, "data.now");
        bool over = ws_is(j, "data.result.reason", "time");
        assert_true(!over || ws_is(j, "data.result.score", "0-1"));
        json_decref(j);
        if (over)
            break;
    } while (true);
    assert_true(ended - begun >= 1400);
    ws_close(&w);
}

static void plays_chess960(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\",\"chess960\":true,\"number\":0");
    open_game(&w, id, &j);
    assert_true(ws_is(j, "data.game.start_fen",
                      "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"));
    assert_true(ws_is(j, "data.game.variant", "chess960"));
    json_decref(j);
    ws_close(&w);
}

/* -- The rest of the protocol -- */

static void analyses(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    assert_true(ws_ask(&w, ",\"do\":\"analysis.start\",\"moves\":[\"e2e4\",\"e7e5\"],\"lines\":2",
                       &j, PATIENCE));
    assert_true(ws_is(j, "data.board.turn", "white"));
    int64_t key = ws_int(j, "data.key");
    json_decref(j);
    for (bool found = false; !found;) {
        assert_true(ws_event(&w, "analysis", &j, PATIENCE));
        found = ws_int(j, "data.key") == key && ws_at(j, "data.lines.1.moves.0.san");
        json_decref(j);
    }
    assert_true(ask(&w, ",\"do\":\"analysis.stop\""));
    assert_true(ws_ask(&w, ",\"do\":\"position\",\"fen\":\"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\"", &j,
                       PATIENCE));
    assert_true(ws_is(j, "data.board.end.reason", "stalemate"));
    json_decref(j);
    assert_false(
        ws_ask(&w, ",\"do\":\"position\",\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"", &j, PATIENCE));
    assert_true(ws_is(j, "error.code", "bad"));
    json_decref(j);
    assert_false(ws_ask(&w, ",\"do\":\"position\",\"moves\":[\"e2e5\"]", &j, PATIENCE));
    assert_true(ws_is(j, "error.code", "illegal"));
    json_decref(j);
    ws_close(&w);
}

/* As a review might have left it that saw a mistake where the next one sees none. */
static void plant_mistake(const Fixture *f, int64_t player, int64_t game, int64_t ply)
{
    char path[128];
    Message why;
    Store *s;
    StoreMistake m = {.player = player, .game = game, .ply = ply, .label = "blunder"};
    snprintf(path, sizeof path, "%s/castellan.db", f->dir);
    assert_int_equal(store_open(&s, path, &why), STATUS_OK);
    assert_int_equal(store_mistake_add(s, &m, "{}", &why), STATUS_OK);
    store_close(s);
}

static void reviews_and_trains(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    char text[128];
    greet(&w, f);
    /* The queen is given away for a pawn, then the game resigned. */
    int64_t id = new_game(&w, ",\"color\":\"white\",\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/"
                              "RNBQKBNR w KQkq - 0 1\"");
    assert_true(move(&w, id, 0, "d1d7", &j));
    json_decref(j);
    await_ply(&w, 2, &j);
    json_decref(j);
    snprintf(text, sizeof text, ",\"do\":\"game.resign\",\"game\":%lld", (long long)id);
    assert_true(ask(&w, text));
    plant_mistake(f, 1, id, 2);
    snprintf(text, sizeof text, ",\"do\":\"review.start\",\"game\":%lld,\"effort\":\"quick\"",
             (long long)id);
    assert_true(ask(&w, text));
    for (bool done = false; !done;) {
        assert_true(ws_event(&w, "review", &j, 4 * PATIENCE));
        assert_false(ws_is(j, "data.state", "failed"));
        done = ws_is(j, "data.state", "done");
        json_decref(j);
    }
    snprintf(text, sizeof text, ",\"do\":\"review.get\",\"game\":%lld", (long long)id);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    assert_true(ws_is(j, "data.review.result.moves.0.label", "blunder"));
    int64_t mistake = ws_int(j, "data.review.result.moves.0.mistake");
    assert_true(mistake > 0);
    json_decref(j);
    assert_true(ws_ask(&w, ",\"do\":\"train.queue\"", &j, PATIENCE));
    assert_int_equal(ws_int(j, "data.total"), 1);
    json_decref(j);
    snprintf(text, sizeof text, ",\"do\":\"train.try\",\"mistake\":%lld,\"uci\":\"d1d7\"",
             (long long)mistake);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    assert_true(ws_is(j, "data.verdict", "wrong"));
    assert_non_null(ws_at(j, "data.reply.uci"));
    json_decref(j);
    snprintf(text, sizeof text, ",\"do\":\"train.show\",\"mistake\":%lld", (long long)mistake);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    const char *best = ws_text(j, "data.best.uci");
    assert_non_null(best);
    snprintf(text, sizeof text, ",\"do\":\"train.try\",\"mistake\":%lld,\"uci\":\"%s\"",
             (long long)mistake, best);
    json_decref(j);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    assert_true(ws_is(j, "data.verdict", "best"));
    assert_int_equal(ws_int(j, "data.mistake.box"), 1);
    json_decref(j);
    ws_close(&w);
}

static bool ask_review(Ws *w, int64_t game, const char *action, const char *effort, json_t **j)
{
    char text[128];
    snprintf(text, sizeof text, ",\"do\":\"review.%s\",\"game\":%lld%s%s%s", action,
             (long long)game, effort ? ",\"effort\":\"" : "", effort ? effort : "",
             effort ? "\"" : "");
    return ws_ask(w, text, j, PATIENCE);
}

/* Who cancels a review and asks for another at once gets the other. */
static void reviews_after_a_cancelled_one(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    char text[96];
    assert_true(move(&w, id, 0, "e2e4", &j));
    json_decref(j);
    await_ply(&w, 2, &j);
    json_decref(j);
    snprintf(text, sizeof text, ",\"do\":\"game.resign\",\"game\":%lld", (long long)id);
    assert_true(ask(&w, text));
    assert_true(ask_review(&w, id, "start", "deep", &j));
    json_decref(j);
    for (bool runs = false; !runs;) {
        assert_true(ask_review(&w, id, "get", NULL, &j));
        assert_false(ws_is(j, "data.review.state", "done"));
        runs = ws_is(j, "data.review.state", "running");
        json_decref(j);
        clock_sleep_ms(runs ? 0 : 20);
    }
    assert_true(ask_review(&w, id, "cancel", NULL, &j));
    json_decref(j);
    assert_true(ask_review(&w, id, "start", "quick", &j));
    json_decref(j);
    for (bool done = false; !done;) {
        assert_true(ws_event(&w, "review", &j, 4 * PATIENCE));
        assert_false(ws_is(j, "data.state", "none"));
        done = ws_is(j, "data.state", "done");
        json_decref(j);
    }
    ws_close(&w);
}

static void lists_exports_and_imports(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    static const char pgn[] =
        ",\"do\":\"pgn.import\",\"pgn\":\"[White \\\"Ann\\\"]\\n[Black "
        "\\\"Bob\\\"]\\n\\n1. e4 {[%clk 0:03:00]} e5 2. Nf3 1-0\\n\\n1. e5 *\\n\"";
    assert_true(ws_ask(&w, pgn, &j, PATIENCE));
    assert_int_equal(ws_int(j, "data.imported"), 1);
    assert_int_equal(ws_int(j, "data.skipped"), 1);
    int64_t id = ws_int(j, "data.games.0");
    json_decref(j);
    assert_true(ws_ask(&w, ",\"do\":\"games.list\",\"search\":\"bob\"", &j, PATIENCE));
    assert_int_equal(ws_int(j, "data.total"), 1);
    assert_int_equal(ws_int(j, "data.games.0.id"), id);
    json_decref(j);
    char text[96];
    snprintf(text, sizeof text, ",\"do\":\"pgn.get\",\"game\":%lld", (long long)id);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    const char *copy = ws_text(j, "data.pgn");
    assert_non_null(copy);
    assert_non_null(strstr(copy, "1. e4 {[%clk 0:03:00]}"));
    assert_non_null(strstr(copy, "[Black \"Bob\"]"));
    json_decref(j);
    ws_close(&w);
}

/* What a file says about its games is there again in what is exported. */
static void keeps_the_tags_of_a_file(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    char text[96];
    greet(&w, f);
    static const char pgn[] =
        ",\"do\":\"pgn.import\",\"pgn\":\"[Event \\\"Open\\\"]\\n[Site \\\"Ulm\\\"]\\n[Round "
        "\\\"3.1\\\"]\\n[White \\\"Ann\\\"]\\n[Black \\\"Eve\\\"]\\n[Annotator \\\"Zoe\\\"]\\n"
        "[SetUp \\\"1\\\"]\\n[FEN \\\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\\\"]\\n[Result "
        "\\\"1-0\\\"]\\n\\n1. e4 1-0\\n\"";
    assert_true(ws_ask(&w, pgn, &j, PATIENCE));
    snprintf(text, sizeof text, ",\"do\":\"pgn.get\",\"game\":%lld",
             (long long)ws_int(j, "data.games.0"));
    json_decref(j);
    assert_true(ws_ask(&w, text, &j, PATIENCE));
    const char *copy = ws_text(j, "data.pgn");
    assert_non_null(copy);
    static const char *const lines[] = {
        "[Event \"Open\"]", "[Site \"Ulm\"]",      "[Round \"3.1\"]",
        "[White \"Ann\"]",  "[Annotator \"Zoe\"]", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]",
        "[Result \"1-0\"]"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_non_null(strstr(copy, lines[i]));
    json_decref(j);
    ws_close(&w);
}

static void reads_variations(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    assert_true(ws_ask(&w,
                       ",\"do\":\"pgn.read\",\"pgn\":\"1. e4 e5 (1... c5 2. Nf3 (2. c3) d6) (1... "
                       "e6) 2. Nf3 *\"",
                       &j, PATIENCE));
    assert_true(ws_is(j, "data.games.0.moves.1.variations.0.0.san", "c5"));
    assert_true(ws_is(j, "data.games.0.moves.1.variations.0.1.variations.0.0.san", "c3"));
    assert_true(ws_is(j, "data.games.0.moves.1.variations.0.2.san", "d6"));
    assert_true(ws_is(j, "data.games.0.moves.1.variations.1.0.san", "e6"));
    assert_true(ws_is(j, "data.games.0.moves.2.san", "Nf3"));
    assert_null(ws_at(j, "data.games.0.moves.2.variations"));
    json_decref(j);
    ws_close(&w);
}

static void watches_engines(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    assert_true(ws_ask(&w,
                       ",\"do\":\"game.watch\",\"white\":{\"kind\":\"level\",\"elo\":500},"
                       "\"black\":{\"kind\":\"level\",\"elo\":600},\"pace\":0",
                       &j, PATIENCE));
    char text[96];
    snprintf(text, sizeof text, ",\"do\":\"watch.pause\",\"game\":%lld",
             (long long)ws_int(j, "data.game.id"));
    json_decref(j);
    await_ply(&w, 4, &j);
    json_decref(j);
    assert_true(ask(&w, text));
    ws_close(&w);
}

/* -- Hostile clients -- */

static int status_of(int port, const char *request)
{
    Text t;
    text_init(&t);
    int status = 0;
    if (ws_http(port, request, &t, 5000) && t.len > 12)
        status = (int)strtol(t.at + 9, NULL, 10);
    text_free(&t);
    return status;
}

static void refuses_strangers(void **state)
{
    Fixture *f = *state;
    int port = atomic_load(&f->port);
    char cookie[128], host[32], origin[48], request[256];
    Ws w;
    assert_true(ws_cookie(port, cookie, sizeof cookie));
    snprintf(host, sizeof host, "127.0.0.1:%d", port);
    snprintf(origin, sizeof origin, "http://127.0.0.1:%d", port);
    const char *const tries[][3] = {
        {host, "http://evil.example", cookie},
        {host, "null", cookie},
        {host, NULL, cookie},
        {"evil.example:80", origin, cookie},
        {"evil.example", "http://evil.example", cookie},
        {host, origin, NULL},
        {host, origin, "castellan_1=0"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        assert_int_equal(ws_open(&w, port, tries[i][0], tries[i][1], tries[i][2]), 403);
        ws_close(&w);
    }
    snprintf(request, sizeof request,
             "POST /api/session HTTP/1.1\r\nHost: %s\r\nOrigin: http://evil.example\r\n"
             "Content-Length: 2\r\nConnection: close\r\n\r\n{}",
             host);
    assert_int_equal(status_of(port, request), 403);
    snprintf(request, sizeof request,
             "GET /api/pgn?player=1 HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host);
    assert_int_equal(status_of(port, request), 403);
}

static void serves_no_files(void **state)
{
    Fixture *f = *state;
    int port = atomic_load(&f->port);
    static const char *const paths[] = {"/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                                        "/assets/../../Makefile",  "/..%5c..%5cetc/passwd",
                                        "//etc/passwd.txt",        "/castellan.db",
                                        "/%00/etc/passwd.txt",     "/assets/..%2f..%2f.git/config"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char request[256];
        Text t;
        text_init(&t);
        snprintf(request, sizeof request,
                 "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", paths[i],
                 port);
        ws_http(port, request, &t, 5000);
        assert_null(strstr(t.at, "root:"));
        assert_null(strstr(t.at, "SQLite format"));
        text_free(&t);
    }
    char request[128];
    snprintf(request, sizeof request,
             "DELETE / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", port);
    assert_int_equal(status_of(port, request), 405);
}

static int closed_with(Ws *w)
{
    Text t;
    int code = -2;
    text_init(&t);
    while (ws_recv(w, &t, 15000, &code))
        ;
    text_free(&t);
    ws_close(w);
    return code;
}

static void closes_on_broken_frames(void **state)
{
    Fixture *f = *state;
    Ws w;
    char *large = malloc(300 << 10);
    memset(large, ' ', 300 << 10);
    greet(&w, f);
    ws_send(&w, "{\"id\":1");
    assert_int_equal(closed_with(&w), 1007);
    greet(&w, f);
    ws_send(&w, "\"\xff\"");
    assert_int_equal(closed_with(&w), 1007);
    greet(&w, f);
    ws_send_frame(&w, WS_FINAL | WS_TEXT, large, 300 << 10, 300 << 10);
    assert_int_equal(closed_with(&w), 1009);
    greet(&w, f);
    for (int i = 0; i < 3; i++) /* in pieces that never end */
        ws_send_frame(&w, i ? 0 : WS_TEXT, large, 100 << 10, 100 << 10);
    assert_int_equal(closed_with(&w), 1009);
    greet(&w, f);
    ws_send_frame(&w, WS_FINAL | WS_BINARY, "x", 1, 1);
    assert_int_equal(closed_with(&w), 1003);
    greet(&w, f);
    ws_send_frame(&w, WS_FINAL, "x", 1, 1); /* goes on with nothing */
    assert_int_equal(closed_with(&w), 1002);
    greet(&w, f);
    ws_send_frame(&w, WS_FINAL | WS_TEXT, "x", 1, UINT64_MAX / 2);
    assert_int_equal(closed_with(&w), 1009);
    greet(&w, f);
    ws_send_frame(&w, WS_FINAL | WS_PING, large, 126, 126);
    assert_int_equal(closed_with(&w), 0); /* the library hangs up */
    free(large);
}

/* A number that Linux knows of this process; -1 elsewhere. */
static long process_number(const char *name)
{
    char line[128];
    long number = -1;
    FILE *in = fopen("/proc/self/status", "r");
    while (in && number < 0 && fgets(line, sizeof line, in))
        if (strncmp(line, name, strlen(name)) == 0)
            number = strtol(line + strlen(name), NULL, 10);
    if (in)
        fclose(in);
    return number;
}

static long memory_kb(void)
{
    return process_number("VmRSS:");
}

/* The searcher of a level has a thread and several megabytes: both are there only as long as
 * somebody plays. */
static void idle_server_keeps_no_searcher(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    stop(f);
    f->options.service.idle_ms = 2000;
    start(f);
    long before = process_number("Threads:");
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    for (int ply = 0; ply < 4; ply += 2) {
        assert_true(move(&w, id, ply, ply ? "d2d4" : "e2e4", &j));
        json_decref(j);
        await_ply(&w, ply + 2, &j);
        json_decref(j);
        assert_true(before < 0 || process_number("Threads:") > before);
        int64_t until = clock_now_ms() + PATIENCE;
        while (process_number("Threads:") > before && clock_now_ms() < until)
            clock_sleep_ms(20);
        assert_int_equal(process_number("Threads:"), before);
    }
    ws_close(&w);
    stop(f);
    f->options.service.idle_ms = 0;
    start(f);
}

/* The answer to status; the caller frees it. */
static json_t *server_status(Ws *w)
{
    json_t *j;
    assert_true(ws_ask(w, ",\"do\":\"status\"", &j, PATIENCE));
    return j;
}

static void await_idle(Ws *w)
{
    int64_t until = clock_now_ms() + PATIENCE;
    bool idle = false;
    while (!idle && clock_now_ms() < until) {
        json_t *j = server_status(w);
        idle = json_is_true(ws_at(j, "data.idle"));
        json_decref(j);
        clock_sleep_ms(100); /* 20 messages a second are allowed */
    }
    assert_true(idle);
}

/* What is loaded is counted, and goes when nobody needs it any more. */
static void status_counts_what_is_loaded(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    stop(f);
    f->options.service.idle_ms = 300;
    start(f);
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    assert_true(move(&w, id, 0, "e2e4", &j));
    json_decref(j);
    await_ply(&w, 2, &j);
    json_decref(j);
    assert_true(ask(&w, ",\"do\":\"analysis.start\",\"lines\":1"));
    clock_sleep_ms(1000); /* the game is watched: it stays */
    j = server_status(&w);
    assert_int_equal(ws_int(j, "data.clients"), 1);
    assert_int_equal(ws_int(j, "data.boards"), 1);
    assert_int_equal(ws_int(j, "data.analyses"), 1);
    assert_true(json_is_false(ws_at(j, "data.idle")));
    json_decref(j);
    assert_true(ask(&w, ",\"do\":\"analysis.stop\""));
    assert_true(ask(&w, ",\"do\":\"games.list\""));
    char text[64];
    snprintf(text, sizeof text, ",\"do\":\"game.close\",\"game\":%lld", (long long)id);
    assert_true(ask(&w, text));
    await_idle(&w);
    j = server_status(&w);
    assert_int_equal(ws_int(j, "data.boards"), 0);
    assert_int_equal(ws_int(j, "data.analyses"), 0);
    assert_int_equal(ws_int(j, "data.jobs.waiting"), 0);
    assert_int_equal(ws_int(j, "data.jobs.running"), 0);
    assert_int_equal(ws_int(j, "data.kept"), 0);
    json_decref(j);
    ws_close(&w);
    stop(f);
    f->options.service.idle_ms = 0;
    start(f);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
/* Megabytes in pieces between pieces that stay: the allocator does not return them by itself. */
static void free_many(void *kept[64])
{
    enum { GROUP = 256, PIECE = 4000 };
    static void *pieces[64][GROUP];
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < GROUP; k++)
            if ((pieces[i][k] = malloc(PIECE)) != NULL)
                memset(pieces[i][k], 1, PIECE);
        kept[i] = malloc(PIECE);
    }
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < GROUP; k++)
            free(pieces[i][k]);
}

/* Freed memory goes back to the system when no game is loaded. */
static void idle_server_returns_memory(void **state)
{
    Fixture *f = *state;
    Ws w;
    void *kept[64];
    stop(f);
    f->options.service.idle_ms = 300;
    start(f);
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    long before = memory_kb();
    free_many(kept);
    clock_sleep_ms(2500); /* more than a second, after which it would be returned */
    assert_true(before < 0 || memory_kb() > before + (32 << 10));
    char text[64];
    snprintf(text, sizeof text, ",\"do\":\"game.close\",\"game\":%lld", (long long)id);
    assert_true(ask(&w, text));
    await_idle(&w);
    assert_true(before < 0 || memory_kb() < before + (16 << 10));
    for (int i = 0; i < 64; i++)
        free(kept[i]);
    ws_close(&w);
    stop(f);
    f->options.service.idle_ms = 0;
    start(f);
}
#endif

/* A frame is refused by its head: nothing of a gigabyte that is announced is kept, and a client
 * that goes on sending is disconnected. */
static void takes_no_gigabyte(void **state)
{
    Fixture *f = *state;
    Ws w;
    const size_t piece = 1 << 20;
    char *bytes = calloc(1, piece);
    greet(&w, f);
    long before = memory_kb();
    int64_t until = clock_now_ms() + PATIENCE;
    ws_send_frame(&w, WS_FINAL | WS_TEXT, bytes, piece, UINT64_C(1) << 40);
    bool open = true;
    while (open && clock_now_ms() < until)
        open = ws_write_all(w.fd, bytes, piece);
    assert_false(open);
    assert_true(memory_kb() - before < 20 << 10);
    ws_close(&w);
    free(bytes);
}

/* Between the pieces of a message a ping may come, and is answered. */
static void puts_pieces_together(void **state)
{
    Fixture *f = *state;
    Ws w;
    Text t;
    int code;
    text_init(&t);
    greet(&w, f);
    assert_true(ws_send_frame(&w, WS_TEXT, "{\"id\":70,\"do\":", 14, 14));
    assert_true(ws_send_frame(&w, WS_FINAL | WS_PING, "hi", 2, 2));
    assert_true(ws_send_frame(&w, 0, "\"pi", 3, 3));
    assert_true(ws_send_frame(&w, 0, "", 0, 0));
    assert_true(ws_send_frame(&w, WS_FINAL, "ng\"}", 4, 4));
    assert_true(ws_recv(&w, &t, PATIENCE, &code));
    assert_non_null(strstr(t.at, "\"id\":70,\"ok\":true"));
    while (!w.pongs)
        assert_false(ws_recv(&w, &t, 100, &code) || code != -1);
    text_free(&t);
    ws_close(&w);
}

static void allow_many_files(void)
{
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* Connections that say nothing make room for one that does. */
static void silent_ones_give_way(void **state)
{
    Fixture *f = *state;
    enum { SILENT = 600 };
    int fds[SILENT];
    Ws w;
    allow_many_files();
    for (int i = 0; i < SILENT; i++) {
        fds[i] = ws_dial(atomic_load(&f->port));
        if (fds[i] >= 0 && i % 2)
            ws_write_all(fds[i], "GET / HT", 8);
    }
    int64_t begun = clock_now_ms();
    assert_int_equal(ws_open_well(&w, atomic_load(&f->port)), 101);
    assert_true(clock_now_ms() - begun < 5000); /* at three seconds each it would be nine */
    ws_close(&w);
    for (int i = 0; i < SILENT; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* Nobody waits until they are ended: they take no place that a request needs. */
static void silent_ones_delay_nobody(void **state)
{
    Fixture *f = *state;
    enum { SILENT = 3000 };
    static int fds[SILENT];
    Ws w;
    allow_many_files();
    for (int i = 0; i < SILENT; i++)
        assert_true((fds[i] = ws_dial(atomic_load(&f->port))) >= 0);
    int64_t begun = clock_now_ms();
    assert_int_equal(ws_open_well(&w, atomic_load(&f->port)), 101);
    assert_true(clock_now_ms() - begun < 1000); /* a silent one has two seconds */
    assert_true(ask(&w, ",\"do\":\"ping\""));
    ws_close(&w);
    for (int i = 0; i < SILENT; i++)
        close(fds[i]);
}

/* They are ended, in the order in which they came. */
static void silent_ones_end(void **state)
{
    Fixture *f = *state;
    int port = atomic_load(&f->port), first = ws_dial(port);
    clock_sleep_ms(500);
    int second = ws_dial(port);
    struct pollfd ends[2] = {{.fd = second, .events = POLLIN}, {.fd = first, .events = POLLIN}};
    char byte;
    assert_int_equal(poll(ends, 2, PATIENCE), 1);
    assert_true(ends[1].revents & POLLIN);
    assert_int_equal(recv(first, &byte, 1, 0), 0);
    close(first);
    assert_int_equal(poll(ends, 1, PATIENCE), 1);
    assert_int_equal(recv(second, &byte, 1, 0), 0);
    close(second);
}

enum { DRIPPING = 256 }; /* as many as the server has threads */

typedef struct Drips {
    int fds[DRIPPING];
    atomic_bool stop;
} Drips;

static void *drip(void *arg)
{
    Drips *d = arg;
    for (int round = 0; !atomic_load(&d->stop); round++) {
        for (int i = 0; i < DRIPPING && round % 10 == 0; i++)
            if (d->fds[i] >= 0)
                ws_write_all(d->fds[i], " ", 1);
        clock_sleep_ms(100);
    }
    return NULL;
}

/* So do those whose requests never end, however slowly they go on. */
static void dripping_ones_give_way(void **state)
{
    Fixture *f = *state;
    static Drips d;
    char request[128];
    Thread t;
    Message why;
    Ws w;
    allow_many_files();
    int port = atomic_load(&f->port);
    snprintf(request, sizeof request,
             "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 4000\r\n\r\n",
             port);
    for (int i = 0; i < DRIPPING; i++) {
        d.fds[i] = ws_dial(port);
        if (d.fds[i] >= 0)
            ws_write_all(d.fds[i], request, strlen(request));
    }
    assert_int_equal(thread_start(&t, drip, &d, 0, &why), STATUS_OK);
    clock_sleep_ms(500);
    int status = ws_open_well(&w, port);
    atomic_store(&d.stop, true);
    thread_join(t);
    for (int i = 0; i < DRIPPING; i++)
        if (d.fds[i] >= 0)
            close(d.fds[i]);
    assert_int_equal(status, 101);
    ws_close(&w);
}

static void survives_nonsense(void **state)
{
    Fixture *f = *state;
    Ws w;
    greet(&w, f);
    static const char *const asks[] = {
        "",
        ",\"do\":1",
        ",\"do\":\"nothing\"",
        ",\"do\":\"game.new\"",
        ",\"do\":\"game.move\",\"game\":-1",
        ",\"do\":\"game.move\",\"game\":\"1\"",
        ",\"do\":\"game.open\",\"game\":9223372036854775807",
        ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"level\",\"elo\":1},\"color\":\"white\"",
        ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"program\",\"name\":\"nobody\"},\"color\":\"white\"",
        ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"adaptive\"},\"color\":\"green\"",
        ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"adaptive\"},\"color\":\"white\",\"clock\":{\"initial\":-1}",
        ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"adaptive\"},\"color\":\"white\",\"fen\":\"k7/8/8/8/8/8/8/8 w - - 0 1\"",
        ",\"do\":\"train.try\",\"mistake\":999,\"uci\":\"e2e4\"",
        ",\"do\":\"players.create\",\"name\":\"\"",
        ",\"do\":\"review.start\",\"game\":99",
        ",\"do\":\"analysis.start\",\"lines\":99",
        ",\"do\":\"position\",\"moves\":{}",
        ",\"do\":\"games.list\",\"limit\":100000",
        ",\"do\":\"watch.pause\",\"game\":1"};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        json_t *j;
        assert_false(ws_ask(&w, asks[i], &j, PATIENCE));
        if (!ws_at(j, "error.code"))
            fail_msg("no refusal of %s", asks[i]);
        json_decref(j);
    }
    assert_true(ask(&w, ",\"do\":\"ping\""));
    ws_close(&w);
}

static void slows_the_hasty(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    bool slowed = false;
    greet(&w, f);
    for (int i = 0; i < 200 && !slowed; i++) {
        if (!ws_ask(&w, ",\"do\":\"ping\"", &j, PATIENCE))
            slowed = ws_is(j, "error.code", "slow");
        json_decref(j);
    }
    assert_true(slowed);
    clock_sleep_ms(1000);
    assert_true(ask(&w, ",\"do\":\"ping\""));
    ws_close(&w);
}

static void limits_connections(void **state)
{
    Fixture *f = *state;
    static Ws many[80];
    int port = atomic_load(&f->port), open = 0, refused = 0;
    char cookie[128], host[32], origin[48];
    assert_true(ws_cookie(port, cookie, sizeof cookie));
    snprintf(host, sizeof host, "127.0.0.1:%d", port);
    snprintf(origin, sizeof origin, "http://127.0.0.1:%d", port);
    for (int i = 0; i < 70; i++) {
        int status = ws_open(&many[i], port, host, origin, cookie);
        open += status == 101;
        refused += status == 503;
    }
    assert_int_equal(open, 64);
    assert_int_equal(refused, 6);
    for (int i = 0; i < 70; i++)
        ws_close(&many[i]);
    Ws w;
    int status = 0;
    for (int i = 0; i < 100 && status != 101; i++) { /* they are gone in a moment */
        status = ws_open(&w, port, host, origin, cookie);
        if (status != 101) {
            ws_close(&w);
            clock_sleep_ms(50);
        }
    }
    assert_int_equal(status, 101);
    ws_close(&w);
}

static int64_t processor_ms(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
           (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

/* A connection waits until there is a descriptor for it, and costs nothing meanwhile. */
static void waits_for_descriptors(void **state)
{
    Fixture *f = *state;
    enum { FILES = 512 };
    static int taken[FILES];
    int count = 0, port = atomic_load(&f->port);
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    clock_sleep_ms(3000); /* silent connections of the tests before have ended */
    few = before;
    few.rlim_cur = FILES;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    while (count < FILES && (taken[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        count++;
    assert_true(count > 0 && errno == EMFILE);
    close(taken[--count]);
    int fd = ws_dial(port); /* takes the last one */
    bool asked = fd >= 0 && ws_write_all(fd, "GET /healthz HTTP/1.1\r\n", 23);
    clock_sleep_ms(100);
    int64_t used = processor_ms();
    clock_sleep_ms(1500);
    used = processor_ms() - used;
    while (count)
        close(taken[--count]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(asked);
    assert_true(used < 300);
    char rest[96], answer[16] = "";
    int len = snprintf(rest, sizeof rest, "Host: 127.0.0.1:%d\r\n\r\n", port);
    assert_true(ws_write_all(fd, rest, (size_t)len));
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, PATIENCE), 1);
    assert_true(recv(fd, answer, sizeof answer - 1, 0) > 0);
    assert_true(strncmp(answer, "HTTP/1.1 200", 12) == 0);
    close(fd);
}

static void plays_on_beside_a_client_that_does_not_read(void **state)
{
    Fixture *f = *state;
    Ws deaf, w;
    json_t *j;
    greet(&deaf, f);
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    char text[96];
    for (int i = 0; i < 50; i++) {
        snprintf(text, sizeof text, "{\"id\":%d,\"do\":\"opponents\"}", i);
        ws_send(&deaf, text);
    }
    int64_t begun = clock_now_ms();
    assert_true(move(&w, id, 0, "e2e4", &j));
    json_decref(j);
    await_ply(&w, 2, &j);
    json_decref(j);
    assert_true(clock_now_ms() - begun < 15000);
    ws_close(&w);
    ws_close(&deaf);
}

static void *flood(void *arg)
{
    static const char pong[] = {(char)(WS_FINAL | WS_PONG), (char)0x80, 0, 0, 0, 0};
    const Ws *w = arg;
    Text many; /* at once, so that they come faster than they are read */
    text_init(&many);
    for (int i = 0; i < 50000; i++)
        text_add(&many, pong, sizeof pong);
    while (ws_write_all(w->fd, many.at, many.len))
        ;
    text_free(&many);
    return NULL;
}

static void stops_while_frames_pour_in(void **state)
{
    Fixture *f = *state;
    Ws w;
    Thread t;
    Message why;
    greet(&w, f);
    assert_int_equal(thread_start(&t, flood, &w, 0, &why), STATUS_OK);
    clock_sleep_ms(200);
    int64_t begun = clock_now_ms();
    stop(f);
    assert_true(clock_now_ms() - begun < PATIENCE);
    shutdown(w.fd, SHUT_RDWR); /* TCP may take minutes to see that nobody reads any more */
    thread_join(t);
    ws_close(&w);
    start(f);
}

/* Puts a pipe, which cannot be synced, in the place of each log that the server syncs. */
static int break_logs(const Fixture *f)
{
    char name[64], path[256], log[128];
    int ends[2], count = 0;
    snprintf(log, sizeof log, "%s/castellan.db-wal", f->dir);
    assert_int_equal(pipe(ends), 0);
    for (int fd = 3; fd < 1024; fd++) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        ssize_t len = readlink(name, path, sizeof path - 1);
        path[len > 0 ? len : 0] = '\0';
        if (strcmp(path, log) == 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
            count += dup2(ends[0], fd) == fd;
    }
    close(ends[0]);
    close(ends[1]);
    return count;
}

static void ends_when_the_disk_fails(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    assert_true(break_logs(f) > 0);
    assert_false(move(&w, id, 0, "e2e4", &j)); /* an answer would be a promise */
    thread_join(f->thread);
    assert_int_equal(f->status, STATUS_IO);
    assert_non_null(strstr(f->why.text, "castellan.db: sync: "));
    ws_close(&w);
    start(f);
}

/* -- Doors -- */

static void asks_for_a_password(void **state)
{
    Fixture *f = *state;
    char request[256];
    stop(f);
    f->options.server.password = "sesame";
    start(f);
    int port = atomic_load(&f->port);
    static const char *const bodies[] = {"{}", "{\"password\":\"wrong\"}",
                                         "{\"password\":\"sesame\"}"};
    static const int wanted[] = {401, 401, 200};
    for (int i = 0; i < 3; i++) {
        snprintf(request, sizeof request,
                 "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %zu\r\n"
                 "Connection: close\r\n\r\n%s",
                 port, strlen(bodies[i]), bodies[i]);
        assert_int_equal(status_of(port, request), wanted[i]);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(request, sizeof request,
                 "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %zu\r\n"
                 "Connection: close\r\n\r\n%s",
                 port, strlen(bodies[1]), bodies[1]);
        assert_int_equal(status_of(port, request), i < 4 ? 401 : 429);
    }
    stop(f);
    f->options.server.password = NULL;
    start(f);
}

/* A frame that is announced and does not come holds a thread, but not for ever. */
static void gives_up_on_half_a_frame(void **state)
{
    Fixture *f = *state;
    Ws w;
    stop(f);
    f->options.server.silence_s = 2;
    start(f);
    greet(&w, f);
    ws_send_frame(&w, WS_FINAL | WS_TEXT, "x", 1, 100 << 10);
    assert_int_equal(closed_with(&w), 0);
    stop(f);
    f->options.server.silence_s = 0;
    start(f);
}

static void refuses_bad_places(void **state)
{
    Fixture *f = *state;
    Message why;
    WebOptions o = f->options;
    o.server.host = "0.0.0.0";
    assert_int_equal(web_run(&o, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, "password"));
    o.server.host = "somewhere";
    assert_int_equal(web_run(&o, &why), STATUS_INVALID);
    o.server.host = "127.0.0.1";
    assert_int_equal(web_run(&o, &why), STATUS_REFUSED); /* the folder is in use */
    assert_non_null(strstr(why.text, "another castellan web"));
    o.service.data = "/tmp/castellan-web-other";
    o.server.port = atomic_load(&f->port);
    assert_int_equal(web_run(&o, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, "in use"));
    unlink("/tmp/castellan-web-other/castellan.db");
    unlink("/tmp/castellan-web-other/castellan.lock");
    rmdir("/tmp/castellan-web-other");
}

/* -- HTTP -- */

static void ask_http(Fixture *f, const char *head, const char *more, const char *body, Text *answer)
{
    Text request;
    text_init(&request);
    text_addf(&request,
              "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%sContent-Length: %zu\r\n"
              "Connection: close\r\n\r\n%s",
              head, atomic_load(&f->port), more, strlen(body), body);
    text_clear(answer);
    assert_true(ws_http(atomic_load(&f->port), request.at, answer, 5000));
    text_free(&request);
}

/* Whoever does not say that it understands gzip gets the file as it is. */
static void compresses_for_those_who_accept_it(void **state)
{
    Fixture *f = *state;
    Text t;
    text_init(&t);
    static const char *const without[] = {"", "Accept-Encoding: identity\r\n",
                                          "Accept-Encoding: gzip;q=0, br\r\n"};
    for (int i = 0; i < 3; i++) {
        ask_http(f, "GET /", without[i], "", &t);
        assert_null(strstr(t.at, "Content-Encoding"));
        assert_non_null(strcasestr(t.at, "<!doctype html>"));
    }
    ask_http(f, "GET /", "Accept-Encoding: br, gzip;q=0.8\r\n", "", &t);
    /* A program without a page has nothing that is compressed. */
    assert_true(strstr(t.at, "Content-Encoding: gzip") || strstr(t.at, "make play"));
    text_free(&t);
}

static void logs_out(void **state)
{
    Fixture *f = *state;
    int port = atomic_load(&f->port);
    char cookie[128], header[160], host[32], origin[48];
    Ws w, again;
    Text t;
    text_init(&t);
    ask_http(f, "POST /api/session", "", "{}", &t);
    assert_non_null(strstr(t.at, "; Path=/; HttpOnly; SameSite=Strict; Max-Age=86400\r\n"));
    assert_true(ws_cookie(port, cookie, sizeof cookie));
    snprintf(host, sizeof host, "127.0.0.1:%d", port);
    snprintf(origin, sizeof origin, "http://127.0.0.1:%d", port);
    assert_int_equal(ws_open(&w, port, host, origin, cookie), 101);
    snprintf(header, sizeof header, "Cookie: %s\r\n", cookie);
    ask_http(f, "POST /api/logout", header, "", &t);
    assert_non_null(strstr(t.at, "Max-Age=0"));
    assert_int_equal(ws_open(&again, port, host, origin, cookie), 403);
    assert_int_not_equal(closed_with(&w), -1); /* not by the time that was waited */
    ws_close(&again);
    text_free(&t);
}

/* Browsers leave the port away that the scheme has by default. */
static void answers_on_port_80(void **state)
{
    Fixture *f = *state;
    Message why;
    Fixture other = {.options = {.server = {.host = "127.0.0.1", .port = 80}}};
    Text t;
    stop(f);
    snprintf(other.dir, sizeof other.dir, "%s", f->dir);
    other.options.user = &other;
    other.options.ready = be_ready;
    other.options.stop = be_stopped;
    other.options.service.data = other.dir;
    assert_int_equal(thread_start(&other.thread, serve, &other, 0, &why), STATUS_OK);
    while (!atomic_load(&other.port))
        clock_sleep_ms(5);
    bool bound = atomic_load(&other.port) > 0;
    text_init(&t);
    if (bound)
        ws_http(80,
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
                "Connection: close\r\n\r\n",
                &t, 5000);
    bool fine = t.len > 12 && strncmp(t.at + 9, "200", 3) == 0;
    stop(&other);
    start(f);
    text_free(&t);
    if (!bound)
        skip(); /* only root may listen there */
    assert_true(fine);
}

/* -- What is stored -- */

static void keeps_the_file_private(void **state)
{
    const Fixture *f = *state;
    char path[128];
    struct stat info;
    snprintf(path, sizeof path, "%s/castellan.db", f->dir);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

static void cuts_names_between_characters(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    Text t;
    text_init(&t);
    text_add_str(&t, ",\"do\":\"pgn.import\",\"pgn\":\"[White \\\"x");
    for (int i = 0; i < 90; i++) /* two bytes each, so that the cut falls inside of one */
        text_add_str(&t, "\xc3\xbc");
    text_add_str(&t, "\\\"]\\n[Black \\\"Umlaut\\\"]\\n\\n1. e4 *\\n\"");
    greet(&w, f);
    assert_true(ask(&w, t.at));
    assert_true(ws_ask(&w, ",\"do\":\"games.list\",\"search\":\"umlaut\"", &j, PATIENCE));
    const char *name = ws_text(j, "data.games.0.white.title");
    assert_non_null(name);
    assert_int_equal(strlen(name) % 2, 1); /* the x and whole characters */
    assert_string_equal(name + strlen(name) - 2, "\xc3\xbc");
    json_decref(j);
    text_free(&t);
    ws_close(&w);
}

static void pages_by_key(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    char text[256];
    int64_t seen[200], count = 0, total = -1;
    greet(&w, f);
    for (int i = 0; i < 3; i++)
        assert_true(ask(&w, ",\"do\":\"pgn.import\",\"pgn\":\"1. e4 *\\n\\n1. d4 *\\n\""));
    snprintf(text, sizeof text, ",\"do\":\"games.list\",\"limit\":2");
    do {
        assert_true(ws_ask(&w, text, &j, PATIENCE));
        if (total < 0)
            total = ws_int(j, "data.total");
        for (size_t i = 0; i < json_array_size(ws_at(j, "data.games")); i++) {
            char path[32];
            snprintf(path, sizeof path, "data.games.%zu.id", i);
            for (int64_t k = 0; k < count; k++)
                assert_int_not_equal(seen[k], ws_int(j, path));
            seen[count++] = ws_int(j, path);
        }
        snprintf(text, sizeof text,
                 ",\"do\":\"games.list\",\"limit\":2,\"after\":{\"created\":%lld,\"id\":%lld}",
                 (long long)ws_int(j, "data.next.created"), (long long)ws_int(j, "data.next.id"));
        bool more = ws_int(j, "data.next.id") > 0;
        json_decref(j);
        if (!more)
            break;
        clock_sleep_ms(60); /* as many messages as are allowed */
    } while (count < 190);
    assert_int_equal(count, total);
    ws_close(&w);
}

static void *send_long_texts(void *arg)
{
    Ws *w = arg;
    Text t;
    text_init(&t);
    text_add_str(&t, "{\"id\":1,\"do\":\"pgn.read\",\"pgn\":\"");
    while (t.len < 200000)
        text_add_str(
            &t, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 *\\n\\n");
    text_add_str(&t, "\"}");
    for (int i = 0; i < 40 && ws_send(w, t.at); i++)
        clock_sleep_ms(50);
    text_free(&t);
    return NULL;
}

/* Long requests of some do not hold up the short ones of others. */
static void long_requests_stall_nobody(void **state)
{
    Fixture *f = *state;
    Ws heavy[2], w;
    Thread threads[2];
    Message why;
    int64_t worst = 0;
    greet(&w, f);
    for (int i = 0; i < 2; i++) {
        greet(&heavy[i], f);
        assert_int_equal(thread_start(&threads[i], send_long_texts, &heavy[i], 0, &why), STATUS_OK);
    }
    for (int i = 0; i < 20; i++) {
        int64_t begun = clock_now_ms();
        assert_true(ask(&w, ",\"do\":\"ping\""));
        int64_t took = clock_now_ms() - begun;
        worst = took > worst ? took : worst;
        clock_sleep_ms(100);
    }
    for (int i = 0; i < 2; i++) {
        thread_join(threads[i]);
        ws_close(&heavy[i]);
    }
    ws_close(&w);
    assert_true(worst < 2500);
}

/* Overwrites the first page of a table. */
static void damage_table(const char *path, const char *table)
{
    char sql[96], page[4096];
    sqlite3 *db;
    sqlite3_stmt *find;
    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &find, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(find), SQLITE_ROW);
    off_t at = (off_t)(sqlite3_column_int64(find, 0) - 1) * (off_t)sizeof page;
    sqlite3_finalize(find);
    sqlite3_close(db);
    memset(page, 0xFF, sizeof page);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, page, sizeof page, at), sizeof page);
    close(fd);
}

static void note_warning(void *user, const char *text)
{
    Fixture *f = user;
    size_t used = strlen(f->warning);
    snprintf(f->warning + used, sizeof f->warning - used, "%s\n", text);
}

/* Games can be read when the file is damaged, and the user is told at the start. */
static void reads_games_of_a_damaged_file(void **state)
{
    Fixture *f = *state;
    Ws w;
    json_t *j;
    char path[128], copy[160], command[400];
    greet(&w, f);
    int64_t id = new_game(&w, ",\"color\":\"white\"");
    ws_close(&w);
    stop(f);
    snprintf(path, sizeof path, "%s/castellan.db", f->dir);
    snprintf(copy, sizeof copy, "%s.good", path);
    snprintf(command, sizeof command, "cp %s %s", path, copy);
    assert_int_equal(system(command), 0);
    damage_table(path, "rating");
    f->options.note = note_warning;
    f->warning[0] = '\0';
    start(f);
    assert_non_null(strstr(f->warning, "castellan.db"));
    assert_non_null(strstr(f->warning, "nothing can be played or stored"));
    assert_int_equal(ws_open_well(&w, atomic_load(&f->port)), 101);
    assert_true(ws_ask(&w, ",\"do\":\"hello\"", &j, PATIENCE));
    assert_non_null(ws_text(j, "data.warning"));
    json_decref(j);
    open_game(&w, id, &j);
    assert_int_equal(ws_int(j, "data.game.id"), id);
    json_decref(j);
    assert_true(refused_move(&w, id, 0, "e2e4", "server"));
    ws_close(&w);
    stop(f);
    assert_int_equal(rename(copy, path), 0);
    f->options.note = NULL;
    start(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_and_keeps),
        cmocka_unit_test(promotes_castles_and_takes_in_passing),
        cmocka_unit_test(mates_and_rates),
        cmocka_unit_test(takes_back_and_hints),
        cmocka_unit_test(two_tabs_see_one_game),
        cmocka_unit_test(flags_fall),
        cmocka_unit_test(plays_chess960),
        cmocka_unit_test(analyses),
        cmocka_unit_test(reviews_and_trains),
        cmocka_unit_test(reviews_after_a_cancelled_one),
        cmocka_unit_test(lists_exports_and_imports),
        cmocka_unit_test(keeps_the_tags_of_a_file),
        cmocka_unit_test(reads_variations),
        cmocka_unit_test(watches_engines),
        cmocka_unit_test(refuses_strangers),
        cmocka_unit_test(serves_no_files),
        cmocka_unit_test(closes_on_broken_frames),
        cmocka_unit_test(takes_no_gigabyte),
        cmocka_unit_test(idle_server_keeps_no_searcher),
        cmocka_unit_test(status_counts_what_is_loaded),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
        cmocka_unit_test(idle_server_returns_memory),
#endif
        cmocka_unit_test(puts_pieces_together),
        cmocka_unit_test(silent_ones_give_way),
        cmocka_unit_test(silent_ones_delay_nobody),
        cmocka_unit_test(silent_ones_end),
        cmocka_unit_test(dripping_ones_give_way),
        cmocka_unit_test(survives_nonsense),
        cmocka_unit_test(slows_the_hasty),
        cmocka_unit_test(limits_connections),
        cmocka_unit_test(waits_for_descriptors),
        cmocka_unit_test(plays_on_beside_a_client_that_does_not_read),
        cmocka_unit_test(stops_while_frames_pour_in),
        cmocka_unit_test(ends_when_the_disk_fails),
        cmocka_unit_test(asks_for_a_password),
        cmocka_unit_test(gives_up_on_half_a_frame),
        cmocka_unit_test(refuses_bad_places),
        cmocka_unit_test(compresses_for_those_who_accept_it),
        cmocka_unit_test(logs_out),
        cmocka_unit_test(answers_on_port_80),
        cmocka_unit_test(keeps_the_file_private),
        cmocka_unit_test(cuts_names_between_characters),
        cmocka_unit_test(pages_by_key),
        cmocka_unit_test(long_requests_stall_nobody),
        cmocka_unit_test(reads_games_of_a_damaged_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
