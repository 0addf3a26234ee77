#include "opponent/effort.h"

#include "base/clock.h"
#include "base/thread.h"

enum {
    ASK_CLOCK_EVERY = 256, /* nodes: well under a millisecond for any of the opponents */
    MOVES_AHEAD = 30,      /* a clock without a count of moves must last for so many */
    RESERVE_MS = 60,       /* never spent: a busy machine may take the processor away */
    LEAST_GROWTH = 4       /* of an iteration over the one before, when nothing is known yet */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The clock of Chess Mantis: what is left, divided by the moves that it must do for. */
static int64_t allotment(const SearchLimits *l, Color side)
{
    int64_t left = l->clock_ms[side];
    int moves = l->moves_to_go > 0 ? l->moves_to_go : MOVES_AHEAD;
    int64_t share = left / moves + l->increment_ms[side];
    return larger(1, smaller(share, left - RESERVE_MS));
}

/* 0: no time is set. */
static int64_t time_for_move(const OpponentTask *task)
{
    const SearchLimits *l = task->limits;
    Color side = task->position->side;
    int64_t ms = 0;
    if (l->infinite || l->ponder)
        return 0;
    if (l->move_time_ms > 0)
        ms = larger(1, l->move_time_ms - smaller(RESERVE_MS, l->move_time_ms / 10));
    if (l->has_clock[side])
        ms = ms ? smaller(ms, allotment(l, side)) : allotment(l, side);
    return ms;
}

static int most_depth(const SearchLimits *l)
{
    int depth = l->depth > 0 ? l->depth : MAX_PLY;
    return l->mate > 0 ? (int)smaller(depth, 2 * (int64_t)l->mate) : depth;
}

Effort effort_begin(const OpponentTask *task, const EffortHabits *habits)
{
    const SearchLimits *l = task->limits;
    int64_t now = clock_now_ms(), ms = time_for_move(task);
    uint64_t nodes = l->nodes ? l->nodes : l->soft_nodes;
    Effort e = {.task = task, .depth = most_depth(l), .nodes = nodes};
    e.start_ms = l->start_ms ? l->start_ms : now;
    e.last_ms = now;
    if (ms)
        e.end_ms = larger(now + 1, e.start_ms + ms);
    bool endless = l->infinite || l->ponder, limited = l->depth > 0 || l->mate > 0;
    if (!limited && !endless && (habits->steady || (!ms && !nodes)))
        e.depth = habits->depth;
    if (!limited && !endless && !ms && !nodes)
        e.nodes = habits->nodes;
    e.depth = (int)smaller(e.depth, MAX_PLY);
    return e;
}

bool effort_late(Effort *e)
{
    thread_yield();
    if (atomic_load(e->task->stop) || (e->end_ms && clock_now_ms() >= e->end_ms))
        e->over = true;
    return e->over;
}

bool effort_over(Effort *e, uint64_t nodes)
{
    if (atomic_load_explicit(e->task->stop, memory_order_relaxed) || (e->nodes && nodes > e->nodes))
        e->over = true;
    else if (e->calls++ % ASK_CLOCK_EVERY == 0)
        effort_late(e);
    return e->over;
}

bool effort_another(Effort *e, int depth)
{
    int64_t now = clock_now_ms(), before = e->span_ms;
    e->span_ms = now - e->last_ms;
    e->last_ms = now;
    if (depth >= e->depth || e->over)
        return false;
    if (!e->end_ms)
        return true;
    int64_t growth = before > 0 ? larger(1, e->span_ms / before) : LEAST_GROWTH;
    return now + e->span_ms * growth <= e->end_ms;
}

void effort_report(const Effort *e, OpponentThought thought)
{
    thought.time_ms = larger(0, clock_now_ms() - e->start_ms);
    if (e->task->thought)
        e->task->thought(e->task->user, &thought);
}

bool effort_may_play(const SearchLimits *l, Move m)
{
    for (int i = 0; i < l->only_count; i++)
        if (l->only[i] == m)
            return true;
    return l->only_count == 0;
}

void effort_wait(const Effort *e)
{
    const SearchLimits *l = e->task->limits;
    while ((l->infinite || l->ponder) && !atomic_load(e->task->stop))
        clock_sleep_ms(2);
}
