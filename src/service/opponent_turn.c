/* The other side of a game: it thinks on the crew's threads, and its move is played when its player would
 * have played it. A mind belongs to its task while that is at work. */
#include "engine/opponents.h"
#include "service/service_int.h"

#include "base/clock.h"
#include "levels/level.h"

#include <stdlib.h>
#include <string.h>

enum {
    FREE_MOVE_MS = 1000, /* what Castellan itself takes where there is no clock */
    CLOCK_SHARE = 20,    /* for show, at most this part of the clock is spent on a move */
    LEAST_PACE_MS = 20   /* of a game that is watched: whoever looks on must be able to follow */
};

typedef struct ThinkTask {
    Task task;
    Board *board;
    Color side;
    Opponent *mind; /* NULL: Castellan itself */
    Position position;
    SearchLimits limits;
    OpponentAnswer answer;
    bool accepts;
} ThinkTask;

bool turn_is_human(const Board *b, Color c)
{
    return b->g.side[c].kind == SIDE_HUMAN || b->g.side[c].kind == SIDE_OTHER;
}

/* -- Minds -- */

static bool is_castellan(const StoreSide *s, const OpponentRow *row)
{
    return s->kind == SIDE_GALLERY && (!row || !row->ops);
}

/* The mind of a side, opened when it is first needed. */
static Status open_mind(Board *b, Color c, Message *why)
{
    const StoreSide *s = &b->g.side[c];
    const OpponentRow *row = s->kind == SIDE_GALLERY ? opponents_find(span_of(s->name)) : NULL;
    if (b->mind[c] || is_castellan(s, row))
        return STATUS_OK;
    LevelSetup level = {.elo = (int)s->elo};
    b->level[c] =
        (OpponentRow){.name = s->name, .title = s->title, .ops = &level_ops, .setup = &level};
    Status status =
        opponent_open(&b->mind[c], row ? row : &b->level[c], (Span){"", 0}, b->g.seed + c, why);
    b->level[c].setup = NULL; /* was looked at when it was opened */
    return status;
}

/* -- Thinking -- */

static void think(Worker *w, Task *task)
{
    ThinkTask *t = (ThinkTask *)task;
    if (t->mind) {
        OpponentTask job = {.position = &t->position, .limits = &t->limits, .stop = &t->task.stop};
        opponent_think(t->mind, &job, &t->answer);
        t->accepts = opponent_accepts_draw(t->mind, &t->position);
        return;
    }
    EngineResult r = worker_search(w, &t->position, &t->limits, &t->task.stop);
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
    Color us = b->now.side;
    int64_t most = b->g.clock_ms[us] / CLOCK_SHARE + b->g.increment_ms / 2;
    return a->think_ms < most ? a->think_ms : most;
}

static void thought(Service *service, Task *task)
{
    ThinkTask *t = (ThinkTask *)task;
    Board *b = t->board;
    b->task = NULL;
    if (b->doomed) {
        board_unload(service, b);
    } else if (atomic_load(&t->task.stop)) {
        turn_wake(service, b); /* not wanted any more; perhaps something else is */
    } else {
        b->reply = t->answer;
        b->reply_accepts = t->accepts;
        b->has_reply = true;
        b->reply_at = b->turn_since + shown_ms(b, &t->answer);
        if (!t->mind) {
            b->last_score = t->answer.score;
            b->has_score = true;
        }
        condition_signal_all(&service->wake);
    }
    free(t);
}

static SearchLimits limits_for(const Board *b, const ThinkTask *t)
{
    SearchLimits l = {0};
    int64_t now = clock_now_ms();
    for (int c = 0; c < COLOR_COUNT && b->g.has_clock; c++) {
        l.has_clock[c] = true;
        l.clock_ms[c] = board_clock_ms(b, (Color)c, now);
        l.increment_ms[c] = b->g.increment_ms;
    }
    if (!b->g.has_clock && !t->mind)
        l.move_time_ms = FREE_MOVE_MS;
    return l;
}

static bool may_think(const Service *service, const Board *b)
{
    return !service->closing && !board_over(b) && !b->task && !b->has_reply && !b->paused &&
           !turn_is_human(b, b->now.side) &&
           (b->g.kind != STORE_WATCH || web_is_watched(service, b->g.id));
}

void turn_wake(Service *service, Board *b)
{
    Message why;
    if (!may_think(service, b))
        return;
    ThinkTask *t = calloc(1, sizeof *t);
    if (!t || open_mind(b, b->now.side, &why) != STATUS_OK) {
        free(t); /* no memory now: the next message about this game tries again */
        return;
    }
    t->task.run = think;
    t->task.done = thought;
    t->board = b;
    t->side = b->now.side;
    t->mind = b->mind[b->now.side];
    t->position = b->now;
    t->limits = limits_for(b, t);
    b->task = &t->task;
    crew_add(service->crew, &t->task);
}

void turn_cancel(Service *service, Board *b)
{
    (void)service;
    b->has_reply = false;
    if (b->task)
        atomic_store(&b->task->stop, true);
}

/* -- Playing what was thought -- */

static void say(Service *service, Board *b, Color side, const char *text)
{
    Message why;
    StoreTalk t = {b->count, side, text};
    BoardTalk *talk = calloc(1, sizeof *talk);
    if (!talk || store_talk_add(service->store, b->g.id, &t, &why) != STATUS_OK) {
        free(talk); /* a word less is no harm */
        return;
    }
    talk->ply = b->count;
    talk->side = side;
    snprintf(talk->text, sizeof talk->text, "%s", text);
    BoardTalk **end = &b->talk;
    while (*end)
        end = &(*end)->next;
    *end = talk;
}

static Status play_reply(Service *service, Board *b, Message *why)
{
    Color us = b->now.side;
    const OpponentAnswer *a = &b->reply;
    if (b->g.offer == (int)color_other(us) && b->reply_accepts)
        return board_finish(service, b, RESULT_DRAW, "agreement", why);
    if (a->resigns)
        return board_finish(service, b, result_win(color_other(us)), "resignation", why);
    b->g.offer = a->offers_draw && b->g.kind == STORE_PLAY ? (int)us : -1;
    return board_play(service, b, a->move, why);
}

static void deliver(Service *service, Board *b)
{
    Message why;
    Color us = b->now.side;
    int64_t began = b->turn_since, wanted = shown_ms(b, &b->reply);
    b->has_reply = false;
    Status s = play_reply(service, b, &why);
    if (s != STATUS_OK && !board_flag(service, b))
        return; /* the disk refused; the next message about this game tries again */
    if (s == STATUS_OK && b->count && began + wanted < clock_now_ms())
        b->moves[b->count - 1].late_ms = clock_now_ms() - began - wanted;
    if (s == STATUS_OK && b->reply.talk[0])
        say(service, b, us, b->reply.talk);
    board_tell(service, b, NULL);
    turn_wake(service, b);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void turn_keep_time(Service *service, Board *b, int64_t now, int64_t *next)
{
    if (b->has_reply && now >= b->reply_at)
        deliver(service, b);
    if (board_flag(service, b))
        board_tell(service, b, NULL);
    if (b->has_reply)
        *next = earlier(*next, b->reply_at);
    if (board_clock_runs(b))
        *next = earlier(*next, now + board_clock_ms(b, b->now.side, now));
}

/* -- Draws -- */

/* With the move on your side the mind is at rest and can be asked at once; otherwise it answers with its move. */
Status turn_offer(Service *service, Board *b, Message *why)
{
    Color them = color_other((Color)b->g.you);
    Status s = open_mind(b, them, why);
    if (s != STATUS_OK)
        return s;
    bool idle = !b->task && !b->has_reply && (int)b->now.side == b->g.you;
    bool accepts = b->mind[them] ? idle && opponent_accepts_draw(b->mind[them], &b->now)
                                 : idle && b->has_score && b->last_score <= 0;
    if (accepts)
        return board_finish(service, b, RESULT_DRAW, "agreement", why);
    StoreGame g = b->g;
    g.offer = idle ? -1 : b->g.you;
    return board_save(service, b, &g, why);
}
