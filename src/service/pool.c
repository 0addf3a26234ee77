#include "service/pool_int.h"

#include "chess/movegen.h"

#include <stdlib.h>
#include <sys/resource.h>

enum {
    WORKER_STACK = 16 << 20,
    MAX_WORKERS = 16,
    MAX_WAITING = 256,
    STOP_POLL_MS = 10,
    WORKER_HASH_MB = 16
};

struct PoolWorker {
    Pool *pool;
    Thread thread;
    Engine *engine; /* both opened when they are first needed */
    Store *store;
    OpponentScratch scratch;
    Mutex lock; /* of what follows */
    Condition changed;
    bool searched;
    EngineResult result;
};

struct Pool {
    Service *service;
    PoolWorker workers[MAX_WORKERS];
    int size, niceness;
    Mutex lock; /* of the queue */
    Condition changed;
    PoolJob *first, *last;
    PoolJob *running[MAX_WORKERS];
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

int pool_waiting(Pool *p)
{
    mutex_lock(&p->lock);
    int waiting = p->waiting;
    mutex_unlock(&p->lock);
    return waiting;
}

static PoolJob *take(Pool *p, int number)
{
    mutex_lock(&p->lock);
    while (!p->first && !p->quit)
        condition_wait(&p->changed, &p->lock);
    PoolJob *job = p->first;
    if (job) {
        p->first = job->next;
        if (!p->first)
            p->last = NULL;
        p->waiting--;
        if (p->quit)
            atomic_store(&job->stop, true);
        p->running[number] = job;
    }
    mutex_unlock(&p->lock);
    return job;
}

static void finish(Pool *p, int number, PoolJob *job)
{
    mutex_lock(&p->lock);
    p->running[number] = NULL;
    mutex_unlock(&p->lock);
    mutex_lock(&p->service->lock);
    job->done(p->service, job);
    mutex_unlock(&p->service->lock);
}

static void *worker_main(void *arg)
{
    PoolWorker *w = arg;
    Pool *p = w->pool;
    int number = (int)(w - p->workers);
    setpriority(PRIO_PROCESS, 0, p->niceness); /* of this thread */
    for (PoolJob *job; (job = take(p, number)) != NULL;) {
        job->run(w, job);
        finish(p, number, job);
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
        mutex_init(&w->lock);
        condition_init(&w->changed);
        s = thread_start(&w->thread, worker_main, w, WORKER_STACK, why);
        p->size += s == STATUS_OK;
    }
    if (s == STATUS_OK) {
        *out = p;
    } else {
        pool_stop(p);
        pool_free(p);
    }
    return s;
}

void pool_stop(Pool *p)
{
    if (!p)
        return;
    mutex_lock(&p->lock);
    p->quit = true;
    for (int i = 0; i < p->size; i++)
        if (p->running[i])
            atomic_store(&p->running[i]->stop, true);
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
        engine_destroy(w->engine);
        store_close(w->store);
        opponent_scratch_close(&w->scratch);
        condition_free(&w->changed);
        mutex_free(&w->lock);
    }
    condition_free(&p->changed);
    mutex_free(&p->lock);
    free(p);
}

/* -- What a worker lends -- */

Service *pool_service(const PoolWorker *w)
{
    return w->pool->service;
}

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
    mutex_lock(&w->lock);
    w->result = *result;
    w->searched = true;
    condition_signal_all(&w->changed);
    mutex_unlock(&w->lock);
}

static bool open_engine(PoolWorker *w)
{
    Message why;
    char hash[16];
    if (w->engine)
        return true;
    EngineEvents events = {.user = w, .done = search_done};
    if (engine_create(&w->engine, &events, &why) != STATUS_OK)
        return false;
    snprintf(hash, sizeof hash, "%d", WORKER_HASH_MB);
    engine_set_option(w->engine, span_of("Hash"), span_of(hash), &why);
    if (w->pool->service->options->tables)
        engine_set_option(w->engine, span_of("SyzygyPath"),
                          span_of(w->pool->service->options->tables), &why);
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

EngineResult pool_search(PoolWorker *w, const Position *p, const SearchLimits *limits,
                         const atomic_bool *stop)
{
    if (!open_engine(w))
        return any_move(p);
    w->searched = false;
    engine_go(w->engine, p, limits);
    mutex_lock(&w->lock);
    while (!w->searched) {
        condition_wait_ms(&w->changed, &w->lock, STOP_POLL_MS);
        if (!w->searched && atomic_load(stop)) {
            mutex_unlock(&w->lock);
            engine_stop(w->engine);
            mutex_lock(&w->lock);
        }
    }
    EngineResult r = w->result;
    mutex_unlock(&w->lock);
    engine_wait(w->engine);
    return r;
}
