#include "service/game_int.h"

#include "base/clock.h"
#include "service/position_json_int.h"

#include <stdlib.h>

enum { HINT_MS = 700, MAX_HINTS_WAITING = 16 };

/* -- Helpers -- */

bool game_find(Request *r, Board **b)
{
    int64_t id;
    if (!request_id(r, "game", &id) || !request_ok(r, board_get(r->service, id, b, &r->why)))
        return false;
    return !(*b)->deleted ||
           request_refuse(r, "missing", "game %lld does not exist", (long long)id);
}

bool game_answer(Request *r, const Board *b)
{
    return request_answer(r, "game", game_json(r->service, b, r->player));
}

/* A game that still runs. */
static bool find_running(Request *r, Board **b)
{
    if (!game_find(r, b))
        return false;
    if (board_flag(r->service, *b))
        game_event(r->service, *b, NULL);
    return !(*b)->g.over || request_refuse(r, "over", "the game is over");
}

/* Whose side the client has. */
static bool find_color(Request *r, const Board *b, Color *us)
{
    int c = board_color_of(b, r->player);
    if (c < 0)
        return request_refuse(r, "refused", "you do not play in this game");
    if (board_two_people(b) && !b->g.guest)
        return request_refuse(r, "refused", "nobody has joined this game yet");
    *us = (Color)c;
    return true;
}

static bool find_mine(Request *r, Board **b, Color *us)
{
    return find_running(r, b) && find_color(r, *b, us);
}

/* The answer to whoever asked, the event to everyone else, and the other side's turn when it is. */
static bool finished(Request *r, Board *b, Status s)
{
    if (!request_ok(r, s))
        return false;
    turn_wake(r->service, b);
    game_event(r->service, b, r->client);
    condition_signal_all(&r->service->wake);
    return game_answer(r, b);
}

/* -- Open, close, delete -- */

static bool game_open(Request *r)
{
    Board *b;
    if (!game_find(r, &b))
        return false;
    client_watch(r->client, b->g.id);
    b->unwatched = 0;
    if (board_flag(r->service, b))
        game_event(r->service, b, r->client);
    turn_wake(r->service, b);
    condition_signal_all(&r->service->wake);
    return game_answer(r, b);
}

static bool game_close(Request *r)
{
    int64_t id;
    if (!request_id(r, "game", &id))
        return false;
    client_unwatch(r->client, id);
    return true;
}

static bool delete_game(Request *r)
{
    Board *b;
    if (!game_find(r, &b) || !request_ok(r, store_game_delete(r->store, b->g.id, &r->why)))
        return false;
    turn_drop(r->service, b);
    return true;
}

/* -- Moves -- */

static bool is_same_move(const Board *b, int64_t ply, Span uci)
{
    Position p;
    if (ply >= b->play.count)
        return false;
    play_position(&b->play, (int)ply, &p);
    return uci_move_read(&p, uci) == b->play.moves[ply].move;
}

static bool game_move(Request *r)
{
    Board *b;
    Color us = WHITE;
    int64_t ply;
    Span uci;
    if (!game_find(r, &b) || !request_int(r, "ply", 0, SERVICE_MAX_PLIES, &ply) ||
        !request_text(r, "uci", &uci))
        return false;
    if (is_same_move(b, ply, uci)) /* asked again after a lost answer */
        return game_answer(r, b);
    if (!find_mine(r, &b, &us))
        return false;
    if (ply != b->play.count)
        return request_refuse(r, "stale", "the game is at ply %d", b->play.count);
    Move m = b->play.now.side == us ? uci_move_read(&b->play.now, uci) : MOVE_NONE;
    if (m == MOVE_NONE)
        return request_illegal(r, uci);
    return finished(r, b, board_play(r->service, b, m, &r->why));
}

static bool game_takeback(Request *r)
{
    Board *b;
    Color us = WHITE;
    if (!game_find(r, &b) || !find_color(r, b, &us))
        return false;
    return finished(r, b,
                    board_two_people(b) ? people_take_back(r->service, b, us, &r->why)
                                        : board_take_back(r->service, b, us, &r->why));
}

/* -- Ends -- */

static bool game_resign(Request *r)
{
    Board *b;
    if (!find_running(r, &b))
        return false;
    PlayState before = b->play.state;
    int us = board_color_of(b, r->player);
    if (us < 0 && b->g.kind == STORE_PLAY)
        return request_refuse(r, "refused", "you do not play in this game");
    if (us < 0 || (board_two_people(b) && !b->g.guest))
        play_end(&b->play, PLAY_STOPPED, RESULT_NONE, COLOR_COUNT, clock_now_ms());
    else
        play_resign(&b->play, (Color)us, clock_now_ms());
    return finished(r, b, board_finish(r->service, b, &before, &r->why));
}

static Status draw(Service *service, Board *b, Color us, Message *why)
{
    PlayState before = b->play.state;
    if (play_claim_draw(&b->play, clock_now_ms()))
        return board_finish(service, b, &before, why);
    if (b->g.offer == (int)color_other(us) || board_on_one_screen(b))
        return turn_agree(service, b, why);
    if (!board_two_people(b))
        return turn_offer(service, b, why);
    StoreGame g = b->g;
    g.offer = (int)us;
    return board_save(service, b, &g, why);
}

static bool game_draw(Request *r)
{
    Board *b;
    Color us = WHITE;
    return find_mine(r, &b, &us) && finished(r, b, draw(r->service, b, us, &r->why));
}

static bool game_decline(Request *r)
{
    Board *b;
    Color us = WHITE;
    if (!find_mine(r, &b, &us))
        return false;
    StoreGame g = b->g;
    if (g.offer == (int)color_other(us))
        g.offer = -1;
    if (b->takeback == (int)color_other(us))
        b->takeback = -1;
    return finished(r, b, board_save(r->service, b, &g, &r->why));
}

/* -- Hints -- */

typedef struct HintJob {
    RequestJob base;
    int64_t game;
    int stage, ply;
    Position position;
    Move best;
} HintJob;

static void find_hint(PoolWorker *w, PoolJob *job)
{
    HintJob *t = (HintJob *)job;
    SearchLimits limits = {.move_time_ms = HINT_MS};
    t->best = pool_search(w, &t->position, &limits).best;
}

static bool answer_hint(Request *r, const Position *p, Move m, int ply, int stage)
{
    char from[3];
    square_name(move_from(m), from);
    request_answer(r, "from", json_string(from));
    request_answer(r, "ply", json_integer(ply));
    if (stage == 2)
        json_object_update_new(r->data, json_move(p, m));
    return true;
}

static void hint_done(Service *service, PoolJob *job)
{
    HintJob *t = (HintJob *)job;
    Request *r = &t->base.request;
    Board *b;
    bool there = board_get(service, t->game, &b, &r->why) == STATUS_OK;
    if (there && b->play.count == t->ply && b->play.now.st.key == t->position.st.key) {
        b->hint_ply = t->ply;
        b->hint = t->best;
    }
    bool found = t->best != MOVE_NONE ? answer_hint(r, &t->position, t->best, t->ply, t->stage)
                                      : request_refuse(r, "server", "no hint is available");
    request_job_end(service, &t->base, found);
}

static bool ask_for_hint(Request *r, Board *b, int stage)
{
    HintJob *t = request_job_new(r, sizeof *t, MAX_HINTS_WAITING);
    if (!t)
        return false;
    StoreGame g = b->g;
    g.hints++;
    g.rated = false;
    if (!request_ok(r, board_save(r->service, b, &g, &r->why))) {
        free(t);
        return false;
    }
    *t = (HintJob){.base.job = {.run = find_hint, .done = hint_done},
                   .game = b->g.id,
                   .stage = stage,
                   .ply = b->play.count,
                   .position = b->play.now};
    game_event(r->service, b, NULL);
    return request_job_start(r, &t->base);
}

static bool game_hint(Request *r)
{
    Board *b;
    Color us = WHITE;
    int64_t stage;
    if (!find_mine(r, &b, &us) || !request_int(r, "stage", 1, 2, &stage))
        return false;
    if (board_two_people(b))
        return request_refuse(r, "refused", "hints are not available in games between two people");
    if (b->play.now.side != us)
        return request_refuse(r, "refused", "it is not your turn");
    if (b->hint_ply != b->play.count)
        return ask_for_hint(r, b, (int)stage);
    return answer_hint(r, &b->play.now, b->hint, b->play.count, (int)stage);
}

/* -- Watching -- */

static bool set_paused(Request *r, bool paused)
{
    Board *b;
    if (!find_running(r, &b))
        return false;
    if (b->g.kind != STORE_WATCH)
        return request_refuse(r, "refused", "only a watched game can be paused");
    b->paused = paused;
    if (paused)
        turn_cancel(b);
    return finished(r, b, board_save(r->service, b, &b->g, &r->why));
}

static bool watch_pause(Request *r)
{
    return set_paused(r, true);
}

static bool watch_resume(Request *r)
{
    return set_paused(r, false);
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
