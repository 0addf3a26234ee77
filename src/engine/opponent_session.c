#include "engine/opponent_session_int.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "chess/position.h"
#include "engine/engine_int.h"
#include "levels/level.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    STACK_BYTES = 16 << 20,
    CLOCK_SHARE = 20, /* for show, at most this part of the clock is spent on a move */
    TITLE_SIZE = 32
};

struct OpponentSession {
    Engine *engine;
    OpponentRow row; /* a level's is made here */
    LevelSetup level;
    char title[TITLE_SIZE];
    Opponent *opponent;
    bool fresh; /* the game has not begun */
    Random random;
    Thread thread;
    bool has_thread;
    SearchLimits limits; /* of the thought under way */
    bool paced;          /* it may take its time */
    int64_t hit_ms;      /* when pondering ended; 0: it lasts */
    atomic_bool stop;
    bool busy, quit;
    Mutex lock; /* of busy, quit, hit_ms */
    Condition changed;
};

bool opponent_session_is_castellan(SessionChoice c)
{
    return !c.row->ops && !c.elo;
}

/* -- One thought -- */

/* The thread sleeps here until somebody stops it, a ponderhit comes or `until_ms` is reached (0:
 * never). */
static void sleep_until(OpponentSession *g, int64_t until_ms, bool for_hit)
{
    mutex_lock(&g->lock);
    for (;;) {
        int64_t left = until_ms ? until_ms - clock_now_ms() : INT32_MAX;
        if (atomic_load(&g->stop) || left <= 0 || (for_hit && g->hit_ms))
            break;
        condition_wait_ms(&g->changed, &g->lock, (long)left);
    }
    mutex_unlock(&g->lock);
}

static void await_ponderhit(OpponentSession *g)
{
    sleep_until(g, 0, true);
    mutex_lock(&g->lock);
    g->limits.start_ms = g->hit_ms ? g->hit_ms : clock_now_ms();
    mutex_unlock(&g->lock);
    g->limits.ponder = false;
}

/* How long a move may seem to take: as its player would, within a small part of the clock. */
static int64_t shown_ms(const OpponentSession *g, int64_t think_ms)
{
    const SearchLimits *l = &g->limits;
    Color us = g->engine->run.root.side;
    if (!g->paced)
        return 0;
    if (!l->has_clock[us])
        return think_ms;
    int64_t most = l->clock_ms[us] / CLOCK_SHARE + l->increment_ms[us] / 2;
    return think_ms < most ? think_ms : most;
}

static void think(OpponentSession *g)
{
    Engine *e = g->engine;
    if (g->limits.ponder)
        await_ponderhit(g);
    OpponentTask task = {.position = &e->run.root,
                         .limits = &g->limits,
                         .stop = &g->stop,
                         .user = e,
                         .thought = report_thought};
    OpponentAnswer answer;
    opponent_think(g->opponent, &task, &answer);
    sleep_until(g, g->limits.start_ms + shown_ms(g, answer.think_ms), false);
    report_answer(e, &answer, clock_now_ms() - g->limits.start_ms);
}

static void *session_main(void *arg)
{
    OpponentSession *g = arg;
    mutex_lock(&g->lock);
    while (!g->quit) {
        if (!g->busy) {
            condition_wait(&g->changed, &g->lock);
            continue;
        }
        mutex_unlock(&g->lock);
        think(g);
        mutex_lock(&g->lock);
        g->busy = false;
        condition_signal_all(&g->changed);
    }
    mutex_unlock(&g->lock);
    return NULL;
}

/* -- Coming and going -- */

static void prepare_row(OpponentSession *g, SessionChoice choice)
{
    g->row = *choice.row;
    if (!choice.elo)
        return;
    g->level.elo = choice.elo;
    snprintf(g->title, sizeof g->title, "%s %d", g->row.title, choice.elo);
    g->row.title = g->title;
    g->row.rating = choice.elo;
    g->row.ops = &level_ops;
    g->row.setup = &g->level;
}

Status opponent_session_open(OpponentSession **out, Engine *e, SessionChoice choice, Message *why)
{
    OpponentSession *g = calloc(1, sizeof *g);
    if (!g)
        return status_fail(why, STATUS_MEMORY, "not enough memory for an opponent");
    g->engine = e;
    g->fresh = true;
    mutex_init(&g->lock);
    condition_init(&g->changed);
    random_seed(&g->random, (uint64_t)clock_now_ns());
    prepare_row(g, choice);
    Status s = opponent_open(&g->opponent, &g->row, span_of(choice.settings ? choice.settings : ""),
                             1, why);
    if (s == STATUS_OK)
        s = thread_start(&g->thread, session_main, g, STACK_BYTES, why);
    g->has_thread = s == STATUS_OK;
    if (s != STATUS_OK) {
        opponent_session_close(g);
        return s;
    }
    *out = g;
    return STATUS_OK;
}

void opponent_session_close(OpponentSession *g)
{
    if (!g)
        return;
    opponent_session_stop(g);
    if (g->has_thread) {
        mutex_lock(&g->lock);
        g->quit = true;
        condition_signal_all(&g->changed);
        mutex_unlock(&g->lock);
        thread_join(g->thread);
    }
    opponent_close(g->opponent);
    condition_free(&g->changed);
    mutex_free(&g->lock);
    free(g);
}

const OpponentRow *opponent_session_row(const OpponentSession *g)
{
    return &g->row;
}

bool opponent_session_start(const OpponentSession *g, Position *out)
{
    return opponent_start(g->opponent, out);
}

bool opponent_session_is_level(const OpponentSession *g)
{
    return g->level.elo != 0;
}

void opponent_session_new_game(OpponentSession *g)
{
    g->fresh = true;
}

/* -- Thinking -- */

/* A fixed seed gives the same game again from the same position, but not from every other one too.
 * */
static void begin_game(OpponentSession *g)
{
    uint64_t fixed = (uint64_t)engine_number(g->engine, OPTION_OPPONENT_SEED);
    uint64_t seed = random_next(&g->random);
    if (fixed)
        seed = fixed * 0x9e3779b97f4a7c15u ^ g->engine->run.root.st.key;
    opponent_new_game(g->opponent, seed);
    g->fresh = false;
}

/* What is kept back for a slow connection is not shown to the opponent at all. */
static void keep_overhead(const OpponentSession *g, SearchLimits *l)
{
    int64_t overhead = engine_number(g->engine, OPTION_MOVE_OVERHEAD);
    for (int c = 0; c < COLOR_COUNT; c++)
        if (l->has_clock[c])
            l->clock_ms[c] = l->clock_ms[c] > overhead ? l->clock_ms[c] - overhead : 1;
}

static bool fixed_effort(const SearchLimits *l)
{
    return l->depth || l->nodes || l->soft_nodes || l->move_time_ms;
}

void opponent_session_go(OpponentSession *g, const SearchLimits *limits)
{
    if (g->fresh)
        begin_game(g);
    g->limits = *limits;
    g->paced = engine_number(g->engine, OPTION_THINK_TIME) && !fixed_effort(limits);
    if (!g->limits.start_ms)
        g->limits.start_ms = clock_now_ms();
    keep_overhead(g, &g->limits);
    mutex_lock(&g->lock);
    atomic_store(&g->stop, false);
    g->hit_ms = 0;
    g->busy = true;
    condition_signal_all(&g->changed);
    mutex_unlock(&g->lock);
}

void opponent_session_stop(OpponentSession *g)
{
    mutex_lock(&g->lock);
    atomic_store(&g->stop, true);
    condition_signal_all(&g->changed);
    mutex_unlock(&g->lock);
}

void opponent_session_ponderhit(OpponentSession *g)
{
    mutex_lock(&g->lock);
    if (!g->hit_ms)
        g->hit_ms = clock_now_ms();
    condition_signal_all(&g->changed);
    mutex_unlock(&g->lock);
}

void opponent_session_wait(OpponentSession *g)
{
    mutex_lock(&g->lock);
    while (g->busy)
        condition_wait(&g->changed, &g->lock);
    mutex_unlock(&g->lock);
}

bool opponent_session_thinking(OpponentSession *g)
{
    mutex_lock(&g->lock);
    bool busy = g->busy;
    mutex_unlock(&g->lock);
    return busy;
}

bool opponent_session_accepts_draw(OpponentSession *g, const Position *p)
{
    return !g->fresh && !opponent_session_thinking(g) && opponent_accepts_draw(g->opponent, p);
}
