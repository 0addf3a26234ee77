#include "base/clock.h"
#include "service/game_json_int.h"
#include "service/message_int.h"
#include "service/new_game_int.h"
#include "service/people_int.h"
#include "service/pool_int.h"
#include "service/position_json_int.h"
#include "service/turn_int.h"

#include <stdlib.h>

enum { HINT_MS = 700, MAX_HINTS_WAITING = 16 };

/* -- Helpers -- */

static Status find_game(Service *service, const Request *r, Board **b, Message *why)
{
    int64_t id;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = board_get(service, id, b, why);
    if (s == STATUS_OK && (*b)->deleted)
        s = status_fail(why, STATUS_MISSING, "game %lld does not exist", (long long)id);
    return s;
}

/* A game of yours that still runs. */
static Status find_running(Service *service, Request *r, Board **b, Message *why)
{
    Status s = find_game(service, r, b, why);
    if (s != STATUS_OK)
        return s;
    if (board_flag(service, *b))
        game_event(service, *b, NULL);
    if (!board_over(*b))
        return STATUS_OK;
    r->code = "over";
    return status_fail(why, STATUS_REFUSED, "the game is over");
}

/* Whose side the client has. */
static Status find_color(const Request *r, const Board *b, Color *us, Message *why)
{
    int c = board_color_of(b, r->player);
    if (c < 0)
        return status_fail(why, STATUS_REFUSED, "you do not play in this game");
    if (board_two_people(b) && !b->g.guest)
        return status_fail(why, STATUS_REFUSED, "nobody has joined this game yet");
    *us = (Color)c;
    return STATUS_OK;
}

static Status find_mine(Service *service, Request *r, Board **b, Color *us, Message *why)
{
    Status s = find_running(service, r, b, why);
    return s == STATUS_OK ? find_color(r, *b, us, why) : s;
}

/* The answer to whoever asked, the event to everyone else, and the other side's turn when it is. */
static Status changed(Service *service, Request *r, Board *b, json_t *data)
{
    turn_wake(service, b);
    json_object_set_new(data, "game", game_json(service, b, r->player));
    game_event(service, b, r->client);
    condition_signal_all(&service->wake);
    return STATUS_OK;
}

static Status finished(Service *service, Request *r, Board *b, Status s, json_t *data)
{
    return s == STATUS_OK ? changed(service, r, b, data) : s;
}

/* -- Open, close, delete -- */

static Status game_open(Service *service, Request *r, json_t *data, Message *why)
{
    Board *b;
    Status s = find_game(service, r, &b, why);
    if (s != STATUS_OK)
        return s;
    client_watch(r->client, b->g.id);
    b->unwatched = 0;
    if (board_flag(service, b))
        game_event(service, b, r->client);
    turn_wake(service, b);
    condition_signal_all(&service->wake);
    json_object_set_new(data, "game", game_json(service, b, r->player));
    return STATUS_OK;
}

static Status game_close(Service *service, Request *r, json_t *data, Message *why)
{
    (void)service, (void)data;
    int64_t id;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        client_unwatch(r->client, id);
    return s;
}

static Status delete_game(Service *service, Request *r, json_t *data, Message *why)
{
    (void)data;
    Board *b;
    Status s = find_game(service, r, &b, why);
    if (s == STATUS_OK)
        s = store_game_delete(service->store, b->g.id, why);
    if (s == STATUS_OK)
        turn_drop(service, b);
    return s;
}

/* -- Moves -- */

static bool is_same_move(const Board *b, int64_t ply, Span uci)
{
    Position p = b->play.start;
    Undo undo;
    if (ply >= b->play.count)
        return false;
    for (int i = 0; i < ply; i++)
        pos_make(&p, b->play.moves[i].move, &undo);
    return uci_move_read(&p, uci) == b->play.moves[ply].move;
}

static Status not_legal(Request *r, Span uci, Message *why)
{
    char shown[16];
    span_show(uci, shown, sizeof shown);
    r->code = "illegal";
    return status_fail(why, STATUS_INVALID, "%s is not a legal move", shown);
}

static Status game_move(Service *service, Request *r, json_t *data, Message *why)
{
    Board *b;
    Color us = WHITE;
    int64_t ply;
    Span uci;
    Status s = find_game(service, r, &b, why);
    if (s == STATUS_OK)
        s = request_int(r, "ply", 0, SERVICE_MAX_PLIES, &ply, why);
    if (s == STATUS_OK)
        s = request_text(r, "uci", &uci, why);
    if (s != STATUS_OK)
        return s;
    if (is_same_move(b, ply, uci)) { /* asked again after a lost answer */
        json_object_set_new(data, "game", game_json(service, b, r->player));
        return STATUS_OK;
    }
    s = find_mine(service, r, &b, &us, why);
    if (s != STATUS_OK)
        return s;
    if (ply != b->play.count) {
        r->code = "stale";
        return status_fail(why, STATUS_REFUSED, "the game is at ply %d", b->play.count);
    }
    Move m = b->play.now.side == us ? uci_move_read(&b->play.now, uci) : MOVE_NONE;
    if (m == MOVE_NONE)
        return not_legal(r, uci, why);
    return finished(service, r, b, board_play(service, b, m, why), data);
}

static Status game_takeback(Service *service, Request *r, json_t *data, Message *why)
{
    Board *b;
    Color us = WHITE;
    Status s = find_game(service, r, &b, why);
    if (s == STATUS_OK)
        s = find_color(r, b, &us, why);
    if (s != STATUS_OK)
        return s;
    s = board_two_people(b) ? people_take_back(service, b, us, why)
                            : board_take_back(service, b, us, why);
    return finished(service, r, b, s, data);
}

/* -- Ends -- */

static Status game_resign(Service *service, Request *r, json_t *data, Message *why)
{
    Board *b;
    Status s = find_running(service, r, &b, why);
    if (s != STATUS_OK)
        return s;
    PlayState before = b->play.state;
    int us = board_color_of(b, r->player);
    if (us < 0 && b->g.kind == STORE_PLAY)
        return status_fail(why, STATUS_REFUSED, "you do not play in this game");
    if (us < 0 || (board_two_people(b) && !b->g.guest))
        play_end(&b->play, PLAY_STOPPED, RESULT_NONE, COLOR_COUNT, clock_now_ms());
    else
        play_resign(&b->play, (Color)us, clock_now_ms());
    return finished(service, r, b, board_finish(service, b, &before, why), data);
}

/* What a player does in a game that goes on. */
typedef Status PlayerAct(Service *service, Board *b, Color us, Message *why);

static Status act_in_game(Service *service, Request *r, PlayerAct *act, json_t *data, Message *why)
{
    Board *b;
    Color us = WHITE;
    Status s = find_mine(service, r, &b, &us, why);
    return s == STATUS_OK ? finished(service, r, b, act(service, b, us, why), data) : s;
}

static Status draw(Service *service, Board *b, Color us, Message *why)
{
    PlayState before = b->play.state;
    if (play_claim_draw(&b->play, clock_now_ms()))
        return board_finish(service, b, &before, why);
    if (b->g.offer == (int)color_other(us) || board_on_one_screen(b))
        return turn_agree(service, b, why);
    return board_two_people(b) ? people_offer_draw(service, b, us, why)
                               : turn_offer(service, b, why);
}

static Status decline(Service *service, Board *b, Color us, Message *why)
{
    StoreGame g = b->g;
    if (g.offer == (int)color_other(us))
        g.offer = -1;
    if (b->takeback == (int)color_other(us))
        b->takeback = -1;
    return board_save(service, b, &g, why);
}

static Status game_draw(Service *service, Request *r, json_t *data, Message *why)
{
    return act_in_game(service, r, draw, data, why);
}

static Status game_decline(Service *service, Request *r, json_t *data, Message *why)
{
    return act_in_game(service, r, decline, data, why);
}

/* -- Hints -- */

typedef struct HintJob {
    PoolJob job;
    int64_t client, request, game;
    int stage, ply;
    Position position;
    Move best;
} HintJob;

static void find_hint(PoolWorker *w, PoolJob *job)
{
    HintJob *t = (HintJob *)job;
    SearchLimits limits = {.move_time_ms = HINT_MS};
    t->best = pool_search(w, &t->position, &limits, &job->stop).best;
}

static void set_hint(json_t *data, const Position *p, Move m, int ply, int stage)
{
    json_t *move = json_move(p, m);
    const char *uci = json_string_value(json_object_get(move, "uci"));
    json_object_set_new(data, "from", json_stringn(uci ? uci : "", uci ? 2 : 0));
    json_object_set_new(data, "ply", json_integer(ply));
    if (stage == 2)
        json_object_update(data, move);
    json_decref(move);
}

static void hint_done(Service *service, PoolJob *job)
{
    HintJob *t = (HintJob *)job;
    Client *c = client_find(service, t->client);
    Board *b;
    Message why;
    bool there = board_get(service, t->game, &b, &why) == STATUS_OK;
    if (there && b->play.count == t->ply && b->play.now.st.key == t->position.st.key) {
        b->hint_ply = t->ply;
        b->hint = t->best;
    }
    if (c && t->best != MOVE_NONE) {
        json_t *data = json_object();
        set_hint(data, &t->position, t->best, t->ply, t->stage);
        client_answer(c, t->request, data);
    } else if (c) {
        client_refuse(c, t->request, "server", "no hint is available");
    }
    free(t);
}

static Status ask_for_hint(Service *service, Request *r, Board *b, int stage, Message *why)
{
    HintJob *t = pool_job_new(service->search_pool, sizeof *t, MAX_HINTS_WAITING, why);
    if (!t)
        return STATUS_REFUSED;
    StoreGame g = b->g;
    g.hints++;
    g.rated = false;
    Status s = board_save(service, b, &g, why);
    if (s != STATUS_OK) {
        free(t);
        return s;
    }
    *t = (HintJob){.job = {.run = find_hint, .done = hint_done},
                   .client = r->client->serial,
                   .request = r->id,
                   .game = b->g.id,
                   .stage = stage,
                   .ply = b->play.count,
                   .position = b->play.now};
    game_event(service, b, NULL);
    return pool_job_start(service->search_pool, &t->job, why);
}

static Status game_hint(Service *service, Request *r, json_t *data, Message *why)
{
    Board *b;
    Color us = WHITE;
    int64_t stage;
    Status s = find_mine(service, r, &b, &us, why);
    if (s == STATUS_OK)
        s = request_int(r, "stage", 1, 2, &stage, why);
    if (s == STATUS_OK && board_two_people(b))
        s = status_fail(why, STATUS_REFUSED, "hints are not available in games between two people");
    if (s == STATUS_OK && b->play.now.side != us)
        s = status_fail(why, STATUS_REFUSED, "it is not your turn");
    if (s != STATUS_OK)
        return s;
    if (b->hint_ply != b->play.count)
        return ask_for_hint(service, r, b, (int)stage, why);
    set_hint(data, &b->play.now, b->hint, b->play.count, (int)stage);
    return STATUS_OK;
}

/* -- Watching -- */

static Status set_paused(Service *service, Request *r, bool paused, json_t *data, Message *why)
{
    Board *b;
    Status s = find_running(service, r, &b, why);
    if (s == STATUS_OK && b->g.kind != STORE_WATCH)
        s = status_fail(why, STATUS_REFUSED, "only a watched game can be paused");
    if (s != STATUS_OK)
        return s;
    b->paused = paused;
    if (paused)
        turn_cancel(service, b);
    StoreGame g = b->g;
    return finished(service, r, b, board_save(service, b, &g, why), data);
}

static Status watch_pause(Service *service, Request *r, json_t *data, Message *why)
{
    return set_paused(service, r, true, data, why);
}

static Status watch_resume(Service *service, Request *r, json_t *data, Message *why)
{
    return set_paused(service, r, false, data, why);
}

const HandlerRow game_handlers[] = {
    {.name = "game.new", .run = new_game},
    {.name = "game.watch", .run = new_game_watch},
    {.name = "game.people", .run = people_new},
    {.name = "game.join", .run = people_join},
    {.name = "game.rematch", .run = new_game_rematch},
    {.name = "game.open", .run = game_open},
    {.name = "game.close", .run = game_close},
    {.name = "game.delete", .run = delete_game},
    {.name = "game.move", .run = game_move},
    {.name = "game.takeback", .run = game_takeback},
    {.name = "game.resign", .run = game_resign},
    {.name = "game.draw", .run = game_draw},
    {.name = "game.decline", .run = game_decline},
    {.name = "game.hint", .run = game_hint},
    {.name = "watch.pause", .run = watch_pause},
    {.name = "watch.resume", .run = watch_resume},
    {0},
};
