/* Visitors who come to a running server and leave again, for the soak test:
 *
 *     websoak PORT visit SECONDS SEED LEDGER   visit until the time is over
 *     websoak PORT verify LEDGER...            every game of the ledgers is as it was acknowledged
 *     websoak PORT rest SECONDS                wait, at most so long, until the server is idle
 *
 * A visitor opens a connection, does one thing (plays, reviews, imports, lists, analyses) and
 * leaves, often in the middle. What the server acknowledged goes to the ledger: "game ID UCI UCI
 * ...". A server that is gone for a while (it is killed and started again) is waited for; a request
 * that it refuses without being busy is a failure. */
#include "../unit/service/ws.h"

#include "base/clock.h"
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_MS = 60000, MAX_KNOWN = 512, MAX_IMPORT = 200 << 10 };

typedef struct Visitor {
    Ws ws;
    int port;
    int64_t until_ms;
    Random random;
    FILE *ledger;
    int64_t known[MAX_KNOWN]; /* finished games, for reviews and exports */
    int known_count;
    int visits, moves, reviews, imports, refused, lost;
} Visitor;

static int64_t left_ms(const Visitor *v)
{
    return v->until_ms - clock_now_ms();
}

/* -- Asking -- */

static bool is_busy(const json_t *answer)
{
    return ws_is(answer, "error.code", "refused") || ws_is(answer, "error.code", "slow") ||
           ws_is(answer, "error.code", "stale") || ws_is(answer, "error.code", "over");
}

/* True: answered, and *answer is the caller's. False: refused, or the server is gone. */
static bool ask(Visitor *v, const char *rest, json_t **answer)
{
    if (ws_ask(&v->ws, rest, answer, PATIENCE_MS))
        return true;
    if (!*answer)
        v->lost++;
    else if (!is_busy(*answer)) {
        v->refused++;
        fprintf(stderr, "websoak: %.80s: %s\n", rest, ws_text(*answer, "error.message"));
    }
    json_decref(*answer);
    *answer = NULL;
    return false;
}

static void ask_only(Visitor *v, const char *rest)
{
    json_t *answer;
    if (ask(v, rest, &answer))
        json_decref(answer);
}

static void know(Visitor *v, int64_t game)
{
    int at =
        v->known_count < MAX_KNOWN ? v->known_count++ : (int)random_below(&v->random, MAX_KNOWN);
    v->known[at] = game;
}

static int64_t any_known(Visitor *v)
{
    return v->known_count ? v->known[random_below(&v->random, (uint32_t)v->known_count)] : 0;
}

/* -- Playing -- */

static void note_game(Visitor *v, const json_t *game)
{
    size_t i;
    json_t *move;
    fprintf(v->ledger, "game %lld", (long long)ws_int(game, "id"));
    json_array_foreach(json_object_get(game, "moves"), i, move)
        fprintf(v->ledger, " %s", json_string_value(json_object_get(move, "uci")));
    fprintf(v->ledger, "\n");
    fflush(v->ledger);
}

static bool choose_move(Visitor *v, const json_t *game, char uci[8])
{
    const char *from;
    json_t *targets, *to, *promotion;
    size_t i;
    int total = 0;
    json_object_foreach(json_object_get(game, "dests"), from, targets)
    {
        json_array_foreach(targets, i, to)
        {
            if (random_below(&v->random, (uint32_t)++total) == 0)
                snprintf(uci, 8, "%.2s%.2s", from, json_string_value(to));
        }
    }
    json_array_foreach(json_object_get(game, "promotions"), i, promotion)
    {
        if (!strncmp(json_string_value(promotion), uci, 4))
            snprintf(uci + 4, 4, "q");
    }
    return total > 0;
}

/* The game in an answer or an event. */
static json_t *game_of(const json_t *message)
{
    json_t *game = ws_at(message, "data.game");
    return game ? game : ws_at(message, "data");
}

/* One move and the answer to it; *now is the snapshot afterwards, NULL when the server is gone. */
static bool play_move(Visitor *v, json_t **now)
{
    char uci[8] = "", text[160];
    const json_t *game = game_of(*now);
    int64_t id = ws_int(game, "id"), ply = ws_int(game, "ply");
    bool may = json_is_null(ws_at(game, "result")) && choose_move(v, game, uci);
    json_decref(*now);
    *now = NULL;
    if (!may) {
        know(v, id);
        return false;
    }
    snprintf(text, sizeof text, ",\"do\":\"game.move\",\"game\":%lld,\"ply\":%lld,\"uci\":\"%s\"",
             (long long)id, (long long)ply, uci);
    if (!ask(v, text, now))
        return false;
    note_game(v, game_of(*now));
    v->moves++;
    while (ws_int(game_of(*now), "ply") < ply + 2 && json_is_null(ws_at(game_of(*now), "result"))) {
        json_decref(*now);
        *now = NULL;
        if (!ws_event(&v->ws, "game", now, PATIENCE_MS))
            return false;
    }
    note_game(v, game_of(*now));
    return true;
}

static void play(Visitor *v)
{
    static const char *const opponents[] = {
        "{\"kind\":\"level\",\"elo\":400}",
        "{\"kind\":\"level\",\"elo\":1000}",
        "{\"kind\":\"adaptive\"}",
        "{\"kind\":\"program\",\"name\":\"javachess\"}",
        "{\"kind\":\"program\",\"name\":\"marmoset\"}",
    };
    char text[256];
    json_t *now;
    bool clock = random_below(&v->random, 2);
    snprintf(text, sizeof text, ",\"do\":\"game.new\",\"opponent\":%s,\"color\":\"white\"%s",
             opponents[random_below(&v->random, 5)],
             clock ? ",\"clock\":{\"initial\":60000,\"increment\":1000}" : "");
    if (!ask(v, text, &now))
        return;
    int64_t id = ws_int(now, "data.game.id");
    note_game(v, ws_at(now, "data.game"));
    for (int i = (int)random_below(&v->random, 10); i >= 0 && left_ms(v) > 0; i--)
        if (!play_move(v, &now))
            break;
    json_decref(now);
    if (!clock && random_below(&v->random, 3) == 0)
        return; /* leaves without a word */
    snprintf(text, sizeof text, ",\"do\":\"game.resign\",\"game\":%lld", (long long)id);
    if (!ask(v, text, &now))
        return;
    json_decref(now);
    know(v, id);
}

/* -- What else visitors do -- */

static void review(Visitor *v)
{
    char text[128];
    json_t *event = NULL;
    int64_t game = any_known(v);
    if (!game)
        return;
    snprintf(text, sizeof text, ",\"do\":\"game.open\",\"game\":%lld", (long long)game);
    ask_only(v, text);
    snprintf(text, sizeof text, ",\"do\":\"review.start\",\"game\":%lld,\"effort\":\"quick\"",
             (long long)game);
    ask_only(v, text);
    v->reviews++;
    bool patient = random_below(&v->random, 3) > 0;
    while (patient && left_ms(v) > 0 && ws_event(&v->ws, "review", &event, 10000)) {
        patient = !ws_is(event, "data.state", "done");
        json_decref(event);
        event = NULL;
    }
    json_decref(event);
    snprintf(text, sizeof text, ",\"do\":\"review.get\",\"game\":%lld", (long long)game);
    ask_only(v, text);
}

/* A game that the server exports, once or several times in one text. */
static void import(Visitor *v)
{
    char text[128];
    json_t *answer;
    int64_t game = any_known(v);
    snprintf(text, sizeof text, ",\"do\":\"pgn.get\",\"game\":%lld", (long long)game);
    if (!game || !ask(v, text, &answer))
        return;
    Text pgn, message;
    text_init(&pgn);
    text_init(&message);
    for (int i = (int)random_below(&v->random, 20); i >= 0 && pgn.len < MAX_IMPORT; i--)
        text_addf(&pgn, "%s\n", ws_text(answer, "data.pgn"));
    json_decref(answer);
    json_t *quoted = json_string(pgn.at);
    char *dumped = json_dumps(quoted, JSON_ENCODE_ANY);
    text_addf(&message, ",\"do\":\"pgn.import\",\"pgn\":%s", dumped);
    if (ask(v, message.at, &answer)) {
        v->imports += (int)ws_int(answer, "data.imported");
        json_decref(answer);
    }
    free(dumped);
    json_decref(quoted);
    text_free(&message);
    text_free(&pgn);
}

static void look_around(Visitor *v)
{
    static const char *const questions[] = {
        ",\"do\":\"games.list\",\"limit\":50",
        ",\"do\":\"games.list\",\"search\":\"javachess\",\"offset\":20",
        ",\"do\":\"players.ratings\"",
        ",\"do\":\"train.queue\"",
        ",\"do\":\"opponents\"",
        ",\"do\":\"position\",\"moves\":[\"e2e4\",\"e7e5\"]",
    };
    for (int i = 0; i < 6; i++)
        ask_only(v, questions[random_below(&v->random, 6)]);
}

static void analyse(Visitor *v)
{
    json_t *event = NULL;
    ask_only(v, ",\"do\":\"analysis.start\",\"lines\":3,\"moves\":[\"e2e4\"]");
    for (int i = (int)random_below(&v->random, 5); i >= 0; i--) {
        if (ws_event(&v->ws, "analysis", &event, 5000))
            json_decref(event);
        event = NULL;
    }
    if (random_below(&v->random, 2))
        ask_only(v, ",\"do\":\"analysis.stop\"");
}

/* -- Visits -- */

static bool enter(Visitor *v)
{
    json_t *hello;
    while (left_ms(v) > 0) {
        if (ws_open_well(&v->ws, v->port) == 101 && ask(v, ",\"do\":\"hello\"", &hello)) {
            json_decref(hello);
            return true;
        }
        ws_close(&v->ws);
        clock_sleep_ms(200);
    }
    return false;
}

static int visit(Visitor *v)
{
    static void (*const deeds[])(Visitor *) = {play,   play,        play,   review,
                                               import, look_around, analyse};
    while (enter(v)) {
        deeds[random_below(&v->random, 7)](v);
        ws_close(&v->ws);
        v->visits++;
        clock_sleep_ms(random_below(&v->random, 400));
    }
    printf("%d visits, %d moves, %d reviews, %d games imported, %d refused, %d cut off\n",
           v->visits, v->moves, v->reviews, v->imports, v->refused, v->lost);
    return v->refused > 0;
}

/* -- Verifying -- */

/* The moves of a game on the server must begin with those acknowledged. */
static bool verify_line(Visitor *v, const char *line)
{
    char *moves;
    char text[96];
    json_t *answer, *move;
    size_t i;
    Text have;
    if (strncmp(line, "game ", 5) != 0)
        return true;
    int64_t game = strtoll(line + 5, &moves, 10);
    snprintf(text, sizeof text, ",\"do\":\"game.open\",\"game\":%lld", (long long)game);
    if (!ask(v, text, &answer))
        return false;
    text_init(&have);
    json_array_foreach(ws_at(answer, "data.game.moves"), i, move)
        text_addf(&have, " %s", json_string_value(json_object_get(move, "uci")));
    size_t length = strcspn(moves, "\n");
    bool fine = have.len >= length && !strncmp(have.at ? have.at : "", moves, length);
    if (!fine)
        fprintf(stderr, "websoak: game %lld has '%s', acknowledged '%.*s'\n", (long long)game,
                have.at ? have.at : "", (int)length, moves);
    json_decref(answer);
    text_free(&have);
    snprintf(text, sizeof text, ",\"do\":\"game.close\",\"game\":%lld", (long long)game);
    ask_only(v, text);
    clock_sleep_ms(120); /* 20 messages a second are allowed */
    return fine;
}

/* Only the last line of each game counts; a visitor plays one game at a time. The last line of the
 * file may be one that is being written. */
static int verify_ledger(Visitor *v, const char *path)
{
    char *line = NULL, *last = NULL;
    size_t size = 0;
    int wrong = 0, games = 0;
    FILE *f = fopen(path, "r");
    while (f && getline(&line, &size, f) > 0 && strchr(line, '\n')) {
        bool same = last && strtoll(line + 5, NULL, 10) == strtoll(last + 5, NULL, 10);
        if (last && !same) {
            wrong += !verify_line(v, last);
            games++;
        }
        free(last);
        last = strdup(line);
    }
    if (last) {
        wrong += !verify_line(v, last);
        games++;
    }
    if (f)
        fclose(f);
    free(line);
    free(last);
    printf("%s: %d games, %d not as acknowledged\n", path, games, wrong);
    return wrong;
}

/* -- Rest -- */

static int rest(Visitor *v)
{
    json_t *answer = NULL;
    bool idle = false;
    if (!enter(v))
        return 1;
    do {
        json_decref(answer);
        clock_sleep_ms(100);
        idle = ask(v, ",\"do\":\"status\"", &answer) && json_is_true(ws_at(answer, "data.idle"));
    } while (answer && !idle && left_ms(v) > 0);
    if (!idle) {
        char *text = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
        fprintf(stderr, "websoak: not idle: %s\n", text ? text : "no answer");
        free(text);
    }
    json_decref(answer);
    return !idle;
}

int main(int argc, char **argv)
{
    static Visitor v;
    int64_t port, seconds = 600, seed = 1;
    bool visits = argc == 6 && strcmp(argv[2], "visit") == 0;
    bool rests = argc == 4 && strcmp(argv[2], "rest") == 0;
    bool verifies = argc > 3 && strcmp(argv[2], "verify") == 0;
    if ((!visits && !rests && !verifies) || !span_to_int64(span_of(argv[1]), 1, 65535, &port) ||
        (!verifies && !span_to_int64(span_of(argv[3]), 1, 1000000, &seconds)) ||
        (visits && !span_to_int64(span_of(argv[4]), 0, INT64_MAX, &seed))) {
        fprintf(stderr, "usage: websoak PORT visit SECONDS SEED LEDGER | PORT verify LEDGER... | "
                        "PORT rest SECONDS\n");
        return 2;
    }
    v.port = (int)port;
    v.until_ms = clock_now_ms() + seconds * 1000;
    random_seed(&v.random, (uint64_t)seed);
    if (visits) {
        v.ledger = fopen(argv[5], "a");
        return v.ledger ? visit(&v) : 2;
    }
    if (rests)
        return rest(&v);
    int wrong = enter(&v) ? 0 : 1;
    for (int i = 3; i < argc && !wrong; i++)
        wrong = verify_ledger(&v, argv[i]);
    ws_close(&v.ws);
    return wrong > 0;
}
