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

static void print_moves(const json_t *game)
{
    size_t i;
    json_t *move;
    printf("moves");
    json_array_foreach(json_object_get(game, "moves"), i, move)
        printf(" %s", json_string_value(json_object_get(move, "uci")));
    printf("\n");
    fflush(stdout);
}

static bool first_move(const json_t *game, char uci[8])
{
    json_t *dests = json_object_get(game, "dests");
    void *from = json_object_iter(dests);
    if (!from)
        return false;
    snprintf(uci, 8, "%.2s%.2s", json_object_iter_key(from),
             json_string_value(json_array_get(json_object_iter_value(from), 0)));
    return true;
}

static bool show(Ws *w, int64_t game)
{
    json_t *j;
    char text[96];
    snprintf(text, sizeof text, ",\"do\":\"game.open\",\"game\":%lld", (long long)game);
    bool fine = ws_ask(w, text, &j, PATIENCE);
    if (fine)
        print_moves(ws_at(j, "data.game"));
    json_decref(j);
    return fine;
}

/* One move and its answer; the snapshot afterwards is in *event. */
static bool play_one(Ws *w, int64_t game, json_t **event, const json_t *now)
{
    char uci[8], text[160];
    json_t *j;
    if (!first_move(now, uci))
        return false;
    int64_t ply = ws_int(now, "ply");
    snprintf(text, sizeof text, ",\"do\":\"game.move\",\"game\":%lld,\"ply\":%lld,\"uci\":\"%s\"",
             (long long)game, (long long)ply, uci);
    json_decref(*event);
    *event = NULL;
    bool fine = ws_ask(w, text, &j, PATIENCE);
    json_decref(j);
    while (fine) {
        fine = ws_event(w, "game", event, PATIENCE);
        if (!fine || ws_int(*event, "data.ply") >= ply + 2)
            break;
        json_decref(*event);
        *event = NULL;
    }
    return fine;
}

static bool play(Ws *w, int64_t answers)
{
    json_t *j;
    if (!ws_ask(w,
                ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"level\",\"elo\":400},"
                "\"color\":\"white\"",
                &j, PATIENCE))
        return false;
    int64_t game = ws_int(j, "data.game.id");
    printf("game %lld\n", (long long)game);
    const json_t *now = ws_at(j, "data.game");
    bool fine = true;
    for (int64_t i = 0; i < answers && fine; i++) {
        fine = play_one(w, game, &j, now);
        now = ws_at(j, "data");
        if (fine)
            print_moves(now);
    }
    json_decref(j);
    return fine;
}

int main(int argc, char **argv)
{
    Ws w;
    json_t *j;
    int64_t port, number;
    if (argc != 4 || !span_to_int64(span_of(argv[1]), 1, 65535, &port) ||
        !span_to_int64(span_of(argv[3]), 1, INT64_MAX, &number))
        return 2;
    if (ws_open_well(&w, (int)port) != 101 || !ws_ask(&w, ",\"do\":\"hello\"", &j, PATIENCE)) {
        fprintf(stderr, "webclient: not let in\n");
        return 1;
    }
    json_decref(j);
    bool fine = strcmp(argv[2], "play") == 0 ? play(&w, number) : show(&w, number);
    ws_close(&w);
    return fine ? 0 : 1;
}
