/* Many boards at once against a running server:
 *
 *     webload PORT BOARDS MOVES [IDLE]
 *
 * Each board is a connection of its own that plays a level between 400 and 2000, with legal moves
 * at random, until MOVES answers have come on it. IDLE more connections are opened first and say
 * nothing. Prints how late answers were, beyond the time that the opponent wanted to think, as seen
 * from here. */
#include "../unit/service/ws.h"

#include "base/clock.h"
#include "base/random.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_BOARDS = 64, MAX_IDLE = 20000, GIVE_UP_MS = 180000, MAX_ANSWERS = 100000 };

typedef struct Seat {
    Ws ws;
    int64_t game, sent_at;
    int answers, games, elo;
    bool waiting; /* for the opponent */
} Seat;

typedef struct Load {
    Seat seats[MAX_BOARDS];
    int count, wanted;
    int late[MAX_ANSWERS];
    int late_count;
    Random chances;
} Load;

static void say(Seat *s, const char *rest)
{
    Text t;
    text_init(&t);
    text_addf(&t, "{\"id\":%lld%s}", (long long)++s->ws.last_id, rest);
    ws_send(&s->ws, t.at);
    text_free(&t);
}

static void begin(Load *l, Seat *s)
{
    char text[200];
    static const int clocks[] = {0, 60000, 300000};
    int clock = clocks[random_below(&l->chances, 3)];
    s->elo = 400 + 100 * (int)random_below(&l->chances, 17);
    int len = snprintf(text, sizeof text,
                       ",\"do\":\"game.new\",\"opponent\":{\"kind\":\"level\",\"elo\":%d},"
                       "\"color\":\"white\"",
                       s->elo);
    if (clock)
        snprintf(text + len, sizeof text - (size_t)len,
                 ",\"clock\":{\"initial\":%d,\"increment\":1000}", clock);
    say(s, text);
    s->games++;
}

/* Any of the legal moves in the snapshot; promotions become queens. */
static bool choose(Load *l, const json_t *game, char uci[8])
{
    const char *from;
    json_t *targets, *to, *promotion;
    size_t i;
    int total = 0;
    json_object_foreach(json_object_get(game, "dests"), from, targets)
        json_array_foreach(targets, i, to) if (random_below(&l->chances, (uint32_t)++total) == 0)
            snprintf(uci, 8, "%.2s%.2s", from, json_string_value(to));
    json_array_foreach(json_object_get(game, "promotions"), i,
                       promotion) if (!strncmp(json_string_value(promotion), uci, 4))
        snprintf(uci + 4, 4, "q");
    return total > 0;
}

static int64_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* The answer came: how much later than its player wanted it? */
static void take_time(Load *l, Seat *s, const json_t *game)
{
    const json_t *moves = json_object_get(game, "moves");
    const json_t *reply = json_array_get(moves, json_array_size(moves) - 1);
    int64_t took = clock_now_ms() - s->sent_at;
    int64_t wanted = number(reply, "spent") - number(reply, "late");
    if (l->late_count < MAX_ANSWERS)
        l->late[l->late_count++] = (int)(took - wanted);
    s->answers++;
    s->waiting = false;
}

static void take_game(Load *l, Seat *s, const json_t *game)
{
    char text[160], uci[8] = "";
    bool over = !json_is_null(json_object_get(game, "result"));
    bool mine = ws_is(game, "turn", "white");
    s->game = number(game, "id");
    if (s->waiting && (mine || over) && number(game, "ply") > 0)
        take_time(l, s, game);
    if (over) {
        if (s->answers < l->wanted)
            begin(l, s);
        return;
    }
    if (!mine || s->waiting || s->answers >= l->wanted || !choose(l, game, uci))
        return;
    snprintf(text, sizeof text, ",\"do\":\"game.move\",\"game\":%lld,\"ply\":%lld,\"uci\":\"%s\"",
             (long long)s->game, (long long)number(game, "ply"), uci);
    s->waiting = true;
    s->sent_at = clock_now_ms();
    say(s, text);
}

static void take_message(Load *l, Seat *s, const Text *t)
{
    json_t *j = json_loadb(t->at, t->len, 0, NULL);
    if (!j)
        return;
    const json_t *game = ws_is(j, "event", "game") ? ws_at(j, "data") : ws_at(j, "data.game");
    if (json_is_false(ws_at(j, "ok")))
        fprintf(stderr, "webload: refused: %.*s\n", (int)(t->len < 200 ? t->len : 200), t->at);
    /* What one's own move looked like is no news. */
    if (json_is_object(game))
        take_game(l, s, game);
    json_decref(j);
}

static void drain(Load *l, Seat *s)
{
    Text t;
    int code;
    text_init(&t);
    while (ws_recv(&s->ws, &t, 0, &code))
        take_message(l, s, &t);
    text_free(&t);
}

static bool all_done(const Load *l)
{
    for (int i = 0; i < l->count; i++)
        if (l->seats[i].answers < l->wanted)
            return false;
    return true;
}

static bool play(Load *l)
{
    struct pollfd polls[MAX_BOARDS];
    int64_t until = clock_now_ms() + GIVE_UP_MS;
    while (!all_done(l) && clock_now_ms() < until) {
        for (int i = 0; i < l->count; i++)
            polls[i] = (struct pollfd){.fd = l->seats[i].ws.fd, .events = POLLIN};
        poll(polls, (nfds_t)l->count, 1000);
        for (int i = 0; i < l->count; i++)
            if (polls[i].revents)
                drain(l, &l->seats[i]);
    }
    return all_done(l);
}

/* A process of its own opens them one after the other, as fast as it is let, and tells how many are
 * open. */
static pid_t open_idle(int port, int wanted, int tell)
{
    struct rlimit files = {MAX_IDLE + 1000, MAX_IDLE + 1000};
    pid_t child = fork();
    if (child)
        return child;
    setrlimit(RLIMIT_NOFILE, &files);
    for (int open = 0; open < wanted;) {
        if (ws_dial(port) < 0)
            break;
        open++;
        if (write(tell, &open, sizeof open) != sizeof open)
            break;
    }
    for (;;)
        pause();
}

static int idle_told(int fd)
{
    int open = 0;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (poll(&p, 1, 0) > 0 && read(fd, &open, sizeof open) == sizeof open)
        ;
    return open;
}

/* A newcomer while they are there: how long until it is let in? */
static void try_newcomer(int port)
{
    Ws w;
    int64_t begun = clock_now_ms();
    int status = ws_open_well(&w, port);
    printf("a newcomer: status %d after %lld ms\n", status, (long long)(clock_now_ms() - begun));
    ws_close(&w);
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int report(Load *l, bool done)
{
    int n = l->late_count, games = 0, slow = 0;
    qsort(l->late, (size_t)n, sizeof *l->late, by_size);
    for (int i = 0; i < l->count; i++)
        games += l->seats[i].games;
    for (int i = 0; i < n; i++)
        slow += l->late[i] > 200;
    if (!n)
        return 1;
    printf("%d boards, %d games, %d answers; later than their thinking time: median %d ms, "
           "99 %% %d ms, most %d ms; %d beyond 200 ms%s\n",
           l->count, games, n, l->late[n / 2], l->late[n * 99 / 100], l->late[n - 1], slow,
           done ? "" : "; NOT FINISHED");
    return !done || slow;
}

int main(int argc, char **argv)
{
    static Load l;
    int64_t port, boards, moves, idle = 0;
    json_t *j;
    if (argc < 4 || !span_to_int64(span_of(argv[1]), 1, 65535, &port) ||
        !span_to_int64(span_of(argv[2]), 1, MAX_BOARDS, &boards) ||
        !span_to_int64(span_of(argv[3]), 1, 1000, &moves) ||
        (argc > 4 && !span_to_int64(span_of(argv[4]), 0, MAX_IDLE, &idle))) {
        fprintf(stderr, "usage: webload PORT BOARDS MOVES [IDLE]\n");
        return 2;
    }
    l.count = (int)boards;
    l.wanted = (int)moves;
    random_seed(&l.chances, 1);
    for (int i = 0; i < l.count; i++) {
        if (ws_open_well(&l.seats[i].ws, (int)port) != 101 ||
            !ws_ask(&l.seats[i].ws, ",\"do\":\"hello\"", &j, 20000)) {
            fprintf(stderr, "webload: board %d is not let in\n", i);
            return 1;
        }
        json_decref(j);
    }
    int ends[2];
    pid_t crowd = idle && pipe(ends) == 0 ? open_idle((int)port, (int)idle, ends[1]) : 0;
    for (int i = 0; i < l.count; i++)
        begin(&l, &l.seats[i]);
    bool done = play(&l);
    if (crowd > 0) {
        printf("%d silent connections open\n", idle_told(ends[0]));
        try_newcomer((int)port);
        kill(crowd, SIGKILL);
        waitpid(crowd, NULL, 0);
    }
    for (int i = 0; i < l.count; i++)
        ws_close(&l.seats[i].ws);
    return report(&l, done);
}
