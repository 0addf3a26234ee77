#include "service/turn_int.h"

#include "base/clock.h"
#include "engine/opponents.h"
#include "levels/level.h"
#include "service/client_int.h"
#include "service/game_json_int.h"
#include "service/opponent_choice_int.h"
#include "service/pool_int.h"

#include <stdlib.h>
#include <string.h>

enum {
    FREE_MOVE_MS = 1000, /* what Castellan itself takes where there is no clock */
    CLOCK_SHARE = 20,    /* for show, at most this part of the clock is spent on a move */
    LEAST_PACE_MS = 20,  /* of a game that is watched: whoever looks on must be able to follow */
    LONGEST_MS = 120000  /* settings can ask for depths that no machine reaches */
};

typedef struct ThinkJob {
    PoolJob job;
    Board *board;
    Color side;
    Opponent *opponent; /* NULL: Castellan itself */
    Position position;
    SearchLimits limits;
    OpponentAnswer answer;
    bool accepts;
    int64_t since_ms; /* the job was added */
    bool is_late;     /* was stopped to play what it has */
} ThinkJob;

static bool is_human(const Board *b, Color c)
{
    return b->g.side[c].kind == SIDE_HUMAN || b->g.side[c].kind == SIDE_OTHER;
}

/* -- Opponents -- */

static bool is_castellan(const StoreSide *s, const OpponentRow *row)
{
    return s->kind == SIDE_PROGRAM && (!row || !row->ops);
}

/* The opponent of a side, opened when it is first needed. */
static Status open_opponent(const Service *service, Board *b, Color c, Message *why)
{
    const StoreSide *s = &b->g.side[c];
    const OpponentRow *row = s->kind == SIDE_PROGRAM ? opponents_find(span_of(s->name)) : NULL;
    if (b->opponent[c] || is_castellan(s, row))
        return STATUS_OK;
    if (row)
        return opponent_choice_open(service, s, row, b->g.seed + c, &b->opponent[c], why);
    LevelSetup level = {.elo = (int)s->elo};
    b->level[c] =
        (OpponentRow){.name = s->name, .title = s->title, .ops = &level_ops, .setup = &level};
    Status status = opponent_open(&b->opponent[c], &b->level[c], (Span){"", 0}, b->g.seed + c, why);
    b->level[c].setup = NULL; /* was looked at when it was opened */
    return status;
}

/* -- Thinking -- */

static void think(PoolWorker *w, PoolJob *job)
{
    ThinkJob *t = (ThinkJob *)job;
    if (t->opponent) {
        OpponentTask task = {.position = &t->position, .limits = &t->limits, .stop = &t->job.stop};
        opponent_think(t->opponent, &task, &t->answer);
        t->accepts = opponent_accepts_draw(t->opponent, &t->position);
        return;
    }
    EngineResult r = pool_search(w, &t->position, &t->limits, &t->job.stop);
    t->answer = (OpponentAnswer){.move = r.best, .score = (Score)r.score.value, .depth = r.depth};
    t->accepts = !r.score.is_mate && r.score.value <= 0;
}

/* How long the move may seem to take. */
static int64_t shown_ms(const Board *b, const OpponentAnswer *a)
{
    if (b->g.kind == STORE_WATCH)
        return b->g.pace_ms > LEAST_PACE_MS ? b->g.pace_ms : LEAST_PACE_MS;
    if (!board_clock_runs(b))
        return a->think_ms;
    Color us = b->play.now.side;
    int64_t most = b->g.clock_ms[us] / CLOCK_SHARE + b->g.increment_ms / 2;
    return a->think_ms < most ? a->think_ms : most;
}

static void thought(Service *service, PoolJob *job)
{
    ThinkJob *t = (ThinkJob *)job;
    Board *b = t->board;
    b->job = NULL;
    if (b->deleted) {
        board_unload(service, b);
    } else if (atomic_load(&t->job.stop) && !t->is_late) {
        turn_wake(service, b); /* not wanted any more; perhaps something else is */
    } else {
        b->reply = t->answer;
        b->reply_accepts = t->accepts;
        b->has_reply = true;
        b->reply_at = b->play.state.turn_ms + shown_ms(b, &t->answer);
        if (!t->opponent) {
            b->last_score = t->answer.score;
            b->has_score = true;
        }
        condition_signal_all(&service->wake);
    }
    free(t);
}

static SearchLimits limits_for(const Board *b, const ThinkJob *t)
{
    SearchLimits l = {0};
    play_limits(&b->play, b->play.now.side, clock_now_ms(), &l);
    if (!b->g.has_clock && !t->opponent)
        l.move_time_ms = FREE_MOVE_MS;
    return l;
}

static bool may_think(const Service *service, const Board *b)
{
    return !service->closing && !service->read_only && !board_over(b) && !b->job && !b->has_reply &&
           !b->paused && !is_human(b, b->play.now.side) &&
           (b->g.kind != STORE_WATCH || client_any_watches(service, b->g.id));
}

void turn_wake(Service *service, Board *b)
{
    Message why;
    if (!may_think(service, b))
        return;
    ThinkJob *t = calloc(1, sizeof *t);
    if (!t || open_opponent(service, b, b->play.now.side, &why) != STATUS_OK) {
        free(t); /* no memory now: the next message about this game tries again */
        return;
    }
    t->job.run = think;
    t->job.done = thought;
    t->board = b;
    t->side = b->play.now.side;
    t->opponent = b->opponent[b->play.now.side];
    t->position = b->play.now;
    t->limits = limits_for(b, t);
    t->since_ms = clock_now_ms();
    if (pool_add(service->search_pool, &t->job))
        b->job = &t->job;
    else
        free(t);
}

void turn_cancel(Service *service, Board *b)
{
    (void)service;
    b->has_reply = false;
    if (b->job) {
        ((ThinkJob *)b->job)->is_late = false;
        atomic_store(&b->job->stop, true);
    }
}

static void end_long_thinking(Board *b, int64_t now)
{
    ThinkJob *t = (ThinkJob *)b->job;
    if (t && now >= t->since_ms + LONGEST_MS && !atomic_load(&t->job.stop)) {
        t->is_late = true;
        atomic_store(&t->job.stop, true);
    }
}

/* -- Playing what was thought -- */

static void say(Service *service, Board *b, Color side, const char *text)
{
    Message why;
    StoreTalk t = {b->play.count, side, text};
    if (store_talk_add(service->store, b->g.id, &t, &why) == STATUS_OK)
        board_add_talk(b, b->play.count, side, text);
}

Status turn_agree(Service *service, Board *b, Message *why)
{
    PlayState before = b->play.state;
    play_agree_draw(&b->play, clock_now_ms());
    return board_finish(service, b, &before, why);
}

static Status play_reply(Service *service, Board *b, Message *why)
{
    Color us = b->play.now.side;
    const OpponentAnswer *a = &b->reply;
    if (b->g.offer == (int)color_other(us) && b->reply_accepts)
        return turn_agree(service, b, why);
    if (a->resigns) {
        PlayState before = b->play.state;
        play_resign(&b->play, us, clock_now_ms());
        return board_finish(service, b, &before, why);
    }
    b->g.offer = a->offers_draw && b->g.kind == STORE_PLAY ? (int)us : -1;
    return board_play(service, b, a->move, why);
}

static void deliver(Service *service, Board *b)
{
    Message why;
    Color us = b->play.now.side;
    int64_t began = b->play.state.turn_ms, wanted = shown_ms(b, &b->reply);
    b->has_reply = false;
    Status s = play_reply(service, b, &why);
    if (s != STATUS_OK && !board_flag(service, b))
        return; /* the disk refused; the next message about this game tries again */
    if (s == STATUS_OK && b->play.count && began + wanted < clock_now_ms())
        b->moves[b->play.count - 1].late_ms = clock_now_ms() - began - wanted;
    if (s == STATUS_OK && b->reply.talk[0])
        say(service, b, us, b->reply.talk);
    game_event(service, b, NULL);
    turn_wake(service, b);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void turn_run_due(Service *service, Board *b, int64_t now, int64_t *next)
{
    if (b->has_reply && now >= b->reply_at)
        deliver(service, b);
    end_long_thinking(b, now);
    if (board_flag(service, b))
        game_event(service, b, NULL);
    if (b->has_reply)
        *next = earlier(*next, b->reply_at);
    if (board_clock_runs(b))
        *next = earlier(*next, now + board_clock_ms(b, b->play.now.side, now));
}

/* -- Draws -- */

/* When it is your move the opponent is idle and can be asked at once; otherwise it answers with its
 * move. */
Status turn_offer(Service *service, Board *b, Message *why)
{
    Color them = color_other((Color)b->g.you);
    Status s = open_opponent(service, b, them, why);
    if (s != STATUS_OK)
        return s;
    bool idle = !b->job && !b->has_reply && (int)b->play.now.side == b->g.you;
    bool accepts = b->opponent[them]
                       ? idle && opponent_accepts_draw(b->opponent[them], &b->play.now)
                       : idle && b->has_score && b->last_score <= 0;
    if (accepts)
        return turn_agree(service, b, why);
    StoreGame g = b->g;
    g.offer = idle ? -1 : b->g.you;
    return board_save(service, b, &g, why);
}
