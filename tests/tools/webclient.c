/* Plays on a running server like a page would, for scripts:
 *
 *     webclient PORT play N      a game against level 400 until N answers have come
 *     webclient PORT show GAME   the moves of a game
 *
 * Prints "game ID" and "moves e2e4 e7e5 ..." as they were told. */
#include "../unit/service/ws.h"

#include <stdio.h>
#include <string.h>

enum { PATIENCE = 30000 };

static void print_moves(const Json *j, const JsonNode *game)
{
    const JsonNode *moves = json_get(j, game, "moves");
    Span uci;
    printf("moves");
    for (const JsonNode *m = json_first(j, moves); m; m = json_next(j, moves, m))
        if (json_string(json_get(j, m, "uci"), &uci))
            printf(" %.*s", (int)uci.len, uci.at);
    printf("\n");
    fflush(stdout);
}

static bool first_move(const Json *j, const JsonNode *game, char uci[8])
{
    const JsonNode *from = json_first(j, json_get(j, game, "dests"));
    const JsonNode *to = json_first(j, from);
    if (!to)
        return false;
    snprintf(uci, 8, "%.2s%.2s", from->name.at, to->text.at);
    return true;
}

static bool show(Ws *w, int64_t game)
{
    Json j;
    char text[96];
    snprintf(text, sizeof text, ",\"do\":\"game.open\",\"game\":%lld", (long long)game);
    if (!ws_ask(w, text, &j, PATIENCE))
        return false;
    print_moves(&j, ws_at(&j, "data.game"));
    json_free(&j);
    return true;
}

/* One move and its answer; the snapshot afterwards is in *j. */
static bool play_one(Ws *w, int64_t game, Json *j, const JsonNode *now)
{
    char uci[8], text[160];
    if (!first_move(j, now, uci))
        return false;
    int64_t ply = 0;
    json_int(json_get(j, now, "ply"), 0, 10000, &ply);
    snprintf(text, sizeof text, ",\"do\":\"game.move\",\"game\":%lld,\"ply\":%lld,\"uci\":\"%s\"",
             (long long)game, (long long)ply, uci);
    json_free(j);
    if (!ws_ask(w, text, j, PATIENCE))
        return false;
    json_free(j);
    do
        if (!ws_event(w, "game", j, PATIENCE))
            return false;
    while (ws_int(j, "data.ply") < ply + 2 && (json_free(j), true));
    return true;
}

static bool play(Ws *w, int64_t answers)
{
    Json j;
    if (!ws_ask(w,
                ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"level\",\"elo\":400},"
                "\"color\":\"white\"",
                &j, PATIENCE))
        return false;
    int64_t game = ws_int(&j, "data.game.id");
    printf("game %lld\n", (long long)game);
    const JsonNode *now = ws_at(&j, "data.game");
    bool fine = true;
    for (int64_t i = 0; i < answers && fine; i++) {
        fine = play_one(w, game, &j, now);
        now = ws_at(&j, "data");
        if (fine)
            print_moves(&j, now);
    }
    json_free(&j);
    return fine;
}

int main(int argc, char **argv)
{
    Ws w;
    Json j;
    int64_t port, number;
    if (argc != 4 || !span_to_int64(span_of(argv[1]), 1, 65535, &port) ||
        !span_to_int64(span_of(argv[3]), 1, INT64_MAX, &number))
        return 2;
    if (ws_open_well(&w, (int)port) != 101 || !ws_ask(&w, ",\"do\":\"hello\"", &j, PATIENCE)) {
        fprintf(stderr, "webclient: not let in\n");
        return 1;
    }
    json_free(&j);
    bool fine = strcmp(argv[2], "play") == 0 ? play(&w, number) : show(&w, number);
    ws_close(&w);
    return fine ? 0 : 1;
}
