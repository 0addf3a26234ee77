#include "service/board_int.h"

#include "base/clock.h"
#include "service/game_int.h"
#include "service/opponent_choice_int.h"
#include "service/study/study_int.h"

#include <stdlib.h>

enum {
    FREE_MOVE_MS = 1000, /* what Castellan itself takes where there is no clock */
    LEAST_PACE_MS = 20,  /* of a game that is watched: whoever looks on must be able to follow */
    LONGEST_MS = 120000  /* settings can ask for depths that no machine reaches */
};

typedef struct ThinkJob {
    PoolJob job;
    Board *board;
    Color side;
    StoreSide player;
    uint64_t seed;
    Opponent *opponent; /* opened by the first job of a side */
    Position position;
    SearchLimits limits;
    Status status;
    OpponentAnswer answer;
    EngineScore score; /* of Castellan itself */
    int64_t since_ms;  /* the job was added */
    bool is_late;      /* was stopped to play what it has */
} ThinkJob;

static bool is_human(const Board *b, Color c)
{
    return b->g.side[c].kind == SIDE_HUMAN || b->g.side[c].kind == SIDE_OTHER;
}

/* -- Thinking -- */

static void search_self(PoolWorker *w, ThinkJob *t)
{
    bool has_clock = t->limits.has_clock[t->side];
    t->limits.move_time_ms = has_clock ? 0 : FREE_MOVE_MS;
    EngineResult r = pool_search(w, &t->position, &t->limits);
    t->answer = (OpponentAnswer){.move = r.best, .depth = r.depth};
    t->score = r.score;
}

/* Opening an opponent may take longer than anybody should wait for Service.lock. */
static void think(PoolWorker *w, PoolJob *job)
{
    ThinkJob *t = (ThinkJob *)job;
    if (!t->opponent)
        t->status =
            opponent_choice_open(job->service, &t->player, t->seed, &t->opponent, &(Message){""});
    if (t->status != STATUS_OK)
        return;
    OpponentTask task = {.position = &t->position,
                         .limits = &t->limits,
                         .stop = &t->job.stop,
                         .scratch = pool_scratch(w)};
    if (t->opponent)
        opponent_think(t->opponent, &task, &t->answer);
    else
        search_self(w, t);
}

static int64_t shown_ms(const Board *b, const ThinkJob *t)
{
    if (b->g.kind == STORE_WATCH)
        return b->g.pace_ms > LEAST_PACE_MS ? b->g.pace_ms : LEAST_PACE_MS;
    return opponent_shown_ms(&t->answer, &t->limits, t->side);
}

static void take_answer(Board *b, const ThinkJob *t)
{
    b->reply = t->answer;
    b->has_reply = true;
    b->shown_ms = shown_ms(b, t);
    if (t->opponent)
        return;
    policy_note_score(&b->policy[t->side], &t->score);
    b->reply.resigns = policy_resigns(&b->policy[t->side]);
}

static void thought(Service *service, PoolJob *job)
{
    ThinkJob *t = (ThinkJob *)job;
    Board *b = t->board;
    b->job = NULL;
    b->opponent[t->side] = t->opponent;
    if (b->deleted) {
        board_unload(service, b);
    } else if (atomic_load(&t->job.stop) && !t->is_late) {
        turn_wake(service, b); /* not wanted any more; perhaps something else is */
    } else if (t->status == STATUS_OK) {
        take_answer(b, t);
        condition_signal_all(&service->wake);
    } /* else no memory now: the next message about this game tries again */
    free(t);
}

static bool may_think(const Service *service, const Board *b)
{
    return !service->closing && !service->read_only && !b->g.over && !b->job && !b->has_reply &&
           !b->paused && !is_human(b, b->play.now.side) &&
           (b->g.kind != STORE_WATCH || client_any_watches(service, b->g.id));
}

void turn_wake(Service *service, Board *b)
{
    Color us = b->play.now.side;
    ThinkJob *t = may_think(service, b) ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return;
    t->job.run = think;
    t->job.done = thought;
    t->board = b;
    t->side = us;
    t->player = b->g.side[us];
    t->seed = (uint64_t)b->g.seed + us;
    t->opponent = b->opponent[us];
    t->position = b->play.now;
    t->since_ms = clock_now_ms();
    play_limits(&b->play, us, t->since_ms, &t->limits);
    if (pool_add(service->search_pool, &t->job))
        b->job = &t->job;
    else
        free(t);
}

void turn_cancel(Board *b)
{
    b->has_reply = false;
    if (b->job) {
        ((ThinkJob *)b->job)->is_late = false;
        atomic_store(&b->job->stop, true);
    }
}

void turn_drop(Service *service, Board *b)
{
    reviews_cancel(service, b->g.id);
    turn_cancel(b);
    if (b->job)
        b->deleted = true;
    else
        board_unload(service, b);
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

Status turn_agree(Service *service, Board *b, Message *why)
{
    PlayState before = b->play.state;
    play_agree_draw(&b->play, clock_now_ms());
    return board_finish(service, b, &before, why);
}

/* In the position that it has thought about last. */
static bool accepts_draw(Board *b, Color c)
{
    return b->opponent[c] ? opponent_accepts_draw(b->opponent[c], &b->play.now)
                          : policy_accepts_draw(&b->policy[c]);
}

static Status play_reply(Service *service, Board *b, Message *why)
{
    Color us = b->play.now.side;
    const OpponentAnswer *a = &b->reply;
    if (b->g.offer == (int)color_other(us) && accepts_draw(b, us))
        return turn_agree(service, b, why);
    if (a->resigns) {
        PlayState before = b->play.state;
        play_resign(&b->play, us, clock_now_ms());
        return board_finish(service, b, &before, why);
    }
    b->g.offer = a->offers_draw && b->g.kind == STORE_PLAY ? (int)us : -1;
    return board_play(service, b, a->move, why);
}

static int64_t reply_at(const Board *b)
{
    return b->play.state.turn_ms + b->shown_ms;
}

static void deliver(Service *service, Board *b)
{
    Message why;
    Color us = b->play.now.side;
    int64_t due = reply_at(b);
    b->has_reply = false;
    Status s = play_reply(service, b, &why);
    if (s != STATUS_OK && !board_flag(service, b))
        return; /* the disk refused; the next message about this game tries again */
    if (s == STATUS_OK && b->play.count && due < clock_now_ms())
        b->moves[b->play.count - 1].late_ms = clock_now_ms() - due;
    StoreTalk talk = {b->play.count, us, b->reply.talk};
    if (s == STATUS_OK && talk.text[0])
        store_talk_add(service->store, b->g.id, &talk, &why); /* a word less is no harm */
    game_event(service, b, NULL);
    turn_wake(service, b);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* An opponent whose game is over is opened again if that is taken back. */
static void let_go(Board *b)
{
    for (Color c = WHITE; c <= BLACK && !b->job; c++) {
        opponent_close(b->opponent[c]);
        b->opponent[c] = NULL;
    }
}

void turn_run_due(Service *service, Board *b, int64_t now, int64_t *next)
{
    if (b->has_reply && now >= reply_at(b))
        deliver(service, b);
    end_long_thinking(b, now);
    if (board_flag(service, b))
        game_event(service, b, NULL);
    if (b->g.over)
        let_go(b);
    if (b->has_reply)
        *next = earlier(*next, reply_at(b));
    if (play_clock_runs(&b->play))
        *next = earlier(*next, now + play_clock_ms(&b->play, b->play.now.side, now));
}

/* -- Draws -- */

/* When it is your move the opponent is idle and can be asked at once; otherwise it answers with its
 * move. */
Status turn_offer(Service *service, Board *b, Message *why)
{
    Color them = color_other((Color)b->g.you);
    bool idle = !b->job && !b->has_reply && (int)b->play.now.side == b->g.you;
    if (idle && accepts_draw(b, them))
        return turn_agree(service, b, why);
    StoreGame g = b->g;
    g.offer = idle ? -1 : b->g.you;
    return board_save(service, b, &g, why);
}
