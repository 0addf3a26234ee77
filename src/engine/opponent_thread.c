#include "engine/opponent_thread_int.h"

#include "base/clock.h"
#include "chess/position.h"
#include "engine/engine_int.h"

#include <stdlib.h>

enum { STACK_BYTES = 16 << 20 };

/* -- One thought -- */

/* The thread sleeps here until somebody stops it, a ponderhit comes or `until_ms` is reached (0:
 * never). */
static void sleep_until(OpponentThread *t, int64_t until_ms, bool for_hit)
{
    mutex_lock(&t->lock);
    for (;;) {
        int64_t left = until_ms ? until_ms - clock_now_ms() : INT32_MAX;
        if (atomic_load(&t->stop) || left <= 0 || (for_hit && t->hit_ms))
            break;
        condition_wait_ms(&t->changed, &t->lock, (long)left);
    }
    mutex_unlock(&t->lock);
}

static void await_ponderhit(OpponentThread *t)
{
    sleep_until(t, 0, true);
    mutex_lock(&t->lock);
    t->limits.start_ms = t->hit_ms ? t->hit_ms : clock_now_ms();
    mutex_unlock(&t->lock);
    t->limits.ponder = false;
}

static void think(OpponentThread *t)
{
    Engine *e = t->engine;
    if (t->limits.ponder)
        await_ponderhit(t);
    OpponentTask task = {.position = &e->run.root,
                         .limits = &t->limits,
                         .stop = &t->stop,
                         .user = e,
                         .thought = report_thought};
    OpponentAnswer answer;
    opponent_think(t->opponent, &task, &answer);
    if (t->paced)
        sleep_until(t,
                    t->limits.start_ms + opponent_shown_ms(&answer, &t->limits, e->run.root.side),
                    false);
    report_answer(e, &answer, clock_now_ms() - t->limits.start_ms);
}

static void *opponent_main(void *arg)
{
    OpponentThread *t = arg;
    mutex_lock(&t->lock);
    while (!t->quit) {
        if (!t->busy) {
            condition_wait(&t->changed, &t->lock);
            continue;
        }
        mutex_unlock(&t->lock);
        think(t);
        mutex_lock(&t->lock);
        t->busy = false;
        condition_signal_all(&t->changed);
    }
    mutex_unlock(&t->lock);
    return NULL;
}

/* -- Coming and going -- */

Status opponent_thread_open(OpponentThread **out, Engine *e, Opponent *opponent, Message *why)
{
    OpponentThread *t = calloc(1, sizeof *t);
    if (!t) {
        opponent_close(opponent);
        return status_fail(why, STATUS_MEMORY, "not enough memory for an opponent");
    }
    *t = (OpponentThread){.engine = e, .opponent = opponent, .fresh = true};
    mutex_init(&t->lock);
    condition_init(&t->changed);
    Status s = thread_start(&t->thread, opponent_main, t, STACK_BYTES, why);
    t->has_thread = s == STATUS_OK;
    return GIVE_OR_CLOSE(s, out, t, opponent_thread_close);
}

void opponent_thread_close(OpponentThread *t)
{
    if (!t)
        return;
    opponent_thread_stop(t);
    if (t->has_thread) {
        condition_set(&t->changed, &t->lock, &t->quit);
        thread_join(t->thread);
    }
    opponent_close(t->opponent);
    condition_free(&t->changed);
    mutex_free(&t->lock);
    free(t);
}

void opponent_thread_new_game(OpponentThread *t)
{
    t->fresh = true;
}

/* -- Thinking -- */

/* A fixed seed gives the same game again from the same position, but not from every other one too.
 * */
static void begin_game(OpponentThread *t)
{
    uint64_t fixed = (uint64_t)engine_number(t->engine, OPTION_OPPONENT_SEED);
    uint64_t seed = random_next(&t->engine->random);
    if (fixed)
        seed = fixed * 0x9e3779b97f4a7c15u ^ t->engine->run.root.st.key;
    opponent_new_game(t->opponent, seed);
    t->fresh = false;
}

/* What is kept back for a slow connection is not shown to the opponent at all. */
static void keep_overhead(const OpponentThread *t, SearchLimits *l)
{
    int64_t overhead = engine_number(t->engine, OPTION_MOVE_OVERHEAD);
    for (int c = 0; c < COLOR_COUNT; c++)
        if (l->has_clock[c])
            l->clock_ms[c] = l->clock_ms[c] > overhead ? l->clock_ms[c] - overhead : 1;
}

static bool fixed_effort(const SearchLimits *l)
{
    return l->depth || l->nodes || l->soft_nodes || l->move_time_ms;
}

void opponent_thread_go(OpponentThread *t, const SearchLimits *limits)
{
    if (t->fresh)
        begin_game(t);
    t->limits = *limits;
    t->paced = engine_number(t->engine, OPTION_THINK_TIME) && !fixed_effort(limits);
    if (!t->limits.start_ms)
        t->limits.start_ms = clock_now_ms();
    keep_overhead(t, &t->limits);
    mutex_lock(&t->lock);
    atomic_store(&t->stop, false);
    t->hit_ms = 0;
    t->busy = true;
    condition_signal_all(&t->changed);
    mutex_unlock(&t->lock);
}

void opponent_thread_stop(OpponentThread *t)
{
    mutex_lock(&t->lock);
    atomic_store(&t->stop, true);
    condition_signal_all(&t->changed);
    mutex_unlock(&t->lock);
}

void opponent_thread_ponderhit(OpponentThread *t)
{
    mutex_lock(&t->lock);
    if (!t->hit_ms)
        t->hit_ms = clock_now_ms();
    condition_signal_all(&t->changed);
    mutex_unlock(&t->lock);
}

void opponent_thread_wait(OpponentThread *t)
{
    mutex_lock(&t->lock);
    while (t->busy)
        condition_wait(&t->changed, &t->lock);
    mutex_unlock(&t->lock);
}

bool opponent_thread_thinking(OpponentThread *t)
{
    mutex_lock(&t->lock);
    bool busy = t->busy;
    mutex_unlock(&t->lock);
    return busy;
}

bool opponent_thread_accepts_draw(OpponentThread *t, const Position *p)
{
    return !t->fresh && !opponent_thread_thinking(t) && opponent_accepts_draw(t->opponent, p);
}
