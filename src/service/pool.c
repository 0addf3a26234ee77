#include "service/pool_int.h"

#include "base/clock.h"
#include "base/thread.h"
#include "chess/movegen.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { WORKER_STACK = 16 << 20, MAX_WORKERS = 16, MAX_WAITING = 256, STOP_POLL_MS = 10 };

static const char WORKER_HASH_MB[] = "16";

/* A worker keeps the memory of its last job until it has been idle for a while. */
typedef enum PoolWorkerState { WORKER_EMPTY, WORKER_KEEPS_MEMORY, WORKER_BUSY } PoolWorkerState;

struct PoolWorker {
    Pool *pool;
    Thread thread;
    Engine *engine; /* both opened when they are needed */
    Store *store;
    OpponentScratch scratch;
    /* Under Pool.lock. */
    PoolWorkerState state;
    PoolJob *running;
    Reviewer *reviewer; /* while it reviews */
    Latch searched;
    EngineResult result; /* once it has searched */
};

struct Pool {
    Service *service;
    PoolWorker workers[MAX_WORKERS];
    int size, niceness;
    Mutex lock; /* of the queue */
    Condition changed;
    PoolJob *first, *last;
    int waiting;
    bool quit;
};

/* -- The queue -- */

bool pool_add(Pool *p, PoolJob *job)
{
    mutex_lock(&p->lock);
    if (p->quit || p->waiting >= MAX_WAITING) {
        mutex_unlock(&p->lock);
        return false;
    }
    job->next = NULL;
    job->service = p->service;
    if (p->last)
        p->last->next = job;
    else
        p->first = job;
    p->last = job;
    p->waiting++;
    condition_signal_all(&p->changed);
    mutex_unlock(&p->lock);
    return true;
}

void pool_count(Pool *p, PoolCounts *counts)
{
    mutex_lock(&p->lock);
    counts->waiting += p->waiting;
    for (int i = 0; i < p->size; i++) {
        counts->running += p->workers[i].state == WORKER_BUSY;
        counts->kept += p->workers[i].state == WORKER_KEEPS_MEMORY;
    }
    mutex_unlock(&p->lock);
}

static bool holds_memory(const PoolWorker *w)
{
    return w->engine || w->store || w->scratch.at;
}

static void let_go(PoolWorker *w)
{
    engine_destroy(w->engine);
    store_close(w->store);
    opponent_scratch_close(&w->scratch);
    w->engine = NULL;
    w->store = NULL;
}

/* Under the lock, which is let go meanwhile. */
static void wait_for_job(PoolWorker *w, int64_t idle_from)
{
    Pool *p = w->pool;
    int64_t idle_ms = service_idle_ms(p->service) - (clock_now_ms() - idle_from);
    if (!holds_memory(w)) {
        condition_wait(&p->changed, &p->lock);
    } else if (idle_ms > 0) {
        condition_wait_ms(&p->changed, &p->lock, (long)idle_ms);
    } else {
        mutex_unlock(&p->lock);
        let_go(w);
        atomic_store(&p->service->freed, true);
        mutex_lock(&p->lock);
        w->state = WORKER_EMPTY;
    }
}

static PoolJob *take(PoolWorker *w)
{
    Pool *p = w->pool;
    int64_t idle_from = clock_now_ms();
    mutex_lock(&p->lock);
    while (!p->first && !p->quit)
        wait_for_job(w, idle_from);
    PoolJob *job = p->first;
    if (job) {
        p->first = job->next;
        if (!p->first)
            p->last = NULL;
        p->waiting--;
        if (p->quit)
            atomic_store(&job->stop, true);
        w->running = job;
        w->state = WORKER_BUSY;
    }
    mutex_unlock(&p->lock);
    return job;
}

static void finish(PoolWorker *w, PoolJob *job)
{
    Pool *p = w->pool;
    mutex_lock(&p->lock);
    w->running = NULL;
    mutex_unlock(&p->lock);
    mutex_lock(&p->service->lock);
    job->done(p->service, job);
    mutex_unlock(&p->service->lock);
    atomic_store(&p->service->freed, true);
    mutex_lock(&p->lock);
    w->state = holds_memory(w) ? WORKER_KEEPS_MEMORY : WORKER_EMPTY;
    mutex_unlock(&p->lock);
}

static void *worker_main(void *arg)
{
    PoolWorker *w = arg;
    setpriority(PRIO_PROCESS, 0, w->pool->niceness); /* of this thread */
    for (PoolJob *job; (job = take(w)) != NULL;) {
        job->run(w, job);
        finish(w, job);
    }
    return NULL;
}

/* -- Coming and going -- */

Status pool_open(Pool **out, Service *service, int threads, int niceness, Message *why)
{
    Pool *p = calloc(1, sizeof *p);
    if (!p)
        return status_fail(why, STATUS_MEMORY, "not enough memory for threads");
    p->service = service;
    p->niceness = niceness;
    mutex_init(&p->lock);
    condition_init(&p->changed);
    Status s = STATUS_OK;
    for (int i = 0; i < threads && i < MAX_WORKERS && s == STATUS_OK; i++) {
        PoolWorker *w = &p->workers[i];
        w->pool = p;
        latch_init(&w->searched);
        s = thread_start(&w->thread, worker_main, w, WORKER_STACK, why);
        p->size += s == STATUS_OK;
    }
    if (s != STATUS_OK)
        pool_stop(p);
    return GIVE_OR_CLOSE(s, out, p, pool_free);
}

/* Under the lock. */
static void stop_running(PoolWorker *w)
{
    if (w->running)
        atomic_store(&w->running->stop, true);
    if (w->reviewer)
        reviewer_stop(w->reviewer);
}

void pool_cancel(Pool *p, PoolJob *job)
{
    mutex_lock(&p->lock);
    atomic_store(&job->stop, true);
    for (int i = 0; i < p->size; i++)
        if (p->workers[i].running == job)
            stop_running(&p->workers[i]);
    mutex_unlock(&p->lock);
}

void pool_stop(Pool *p)
{
    if (!p)
        return;
    mutex_lock(&p->lock);
    p->quit = true;
    for (int i = 0; i < p->size; i++)
        stop_running(&p->workers[i]);
    condition_signal_all(&p->changed);
    mutex_unlock(&p->lock);
    for (int i = 0; i < p->size; i++)
        thread_join(p->workers[i].thread);
}

void pool_free(Pool *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->size; i++) {
        PoolWorker *w = &p->workers[i];
        let_go(w);
        latch_free(&w->searched);
    }
    condition_free(&p->changed);
    mutex_free(&p->lock);
    free(p);
}

/* -- What a worker lends -- */

Store *pool_store(PoolWorker *w, Message *why)
{
    if (!w->store)
        service_open_store(w->pool->service, &w->store, why);
    return w->store;
}

OpponentScratch *pool_scratch(PoolWorker *w)
{
    return &w->scratch;
}

static void search_done(void *user, const EngineResult *result)
{
    PoolWorker *w = user;
    w->result = *result;
    latch_open(&w->searched);
}

static bool open_engine(PoolWorker *w)
{
    Message why;
    const char *tables = w->pool->service->options->tables;
    if (w->engine)
        return true;
    EngineEvents events = {.user = w, .done = search_done};
    if (engine_create(&w->engine, &events, &why) != STATUS_OK)
        return false;
    engine_set_option(w->engine, span_of("Hash"), span_of(WORKER_HASH_MB), &why);
    if (tables)
        engine_set_option(w->engine, span_of("SyzygyPath"), span_of(tables), &why);
    return true;
}

/* Without an engine, for want of memory, there is still a legal move. */
static EngineResult any_move(const Position *p)
{
    Move moves[MAX_MOVES];
    EngineResult r = {.root = p};
    if (movegen(p, GEN_ALL, moves) > 0)
        r.best = moves[0];
    return r;
}

EngineResult pool_search(PoolWorker *w, const Position *p, const SearchLimits *limits)
{
    if (!open_engine(w))
        return any_move(p);
    latch_close(&w->searched);
    engine_go(w->engine, p, limits);
    while (!latch_wait(&w->searched, STOP_POLL_MS))
        if (atomic_load(&w->running->stop))
            engine_stop(w->engine);
    engine_wait(w->engine);
    return w->result;
}

static void set_reviewer(PoolWorker *w, Reviewer *r)
{
    mutex_lock(&w->pool->lock);
    w->reviewer = r;
    if (r && atomic_load(&w->running->stop))
        reviewer_stop(r);
    mutex_unlock(&w->pool->lock);
}

Status pool_reviewer_open(PoolWorker *w, ReviewOptions options, Reviewer **out, Message *why)
{
    options.evaluator = w->pool->service->evaluator;
    options.tb = w->pool->service->tb;
    Status s = reviewer_open(out, &options, why);
    if (s == STATUS_OK)
        set_reviewer(w, *out);
    return s;
}

void pool_reviewer_close(PoolWorker *w)
{
    Reviewer *r = w->reviewer;
    set_reviewer(w, NULL);
    reviewer_close(r);
}
