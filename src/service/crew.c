/* The threads that think, as many as the machine has cores. Tasks are taken in the order they came, so that
 * every board gets its turn; whoever searches with Castellan itself borrows the worker's session. */
#include "service/service_int.h"

#include "chess/movegen.h"

#include <stdlib.h>

enum { WORKER_STACK = 16 << 20, MAX_WORKERS = 16, STOP_POLL_MS = 10, WORKER_HASH_MB = 16 };

struct Worker {
    Crew *crew;
    Thread thread;
    Engine *engine; /* opened when it is first needed */
    Mutex lock;     /* of what follows */
    Condition changed;
    bool searched;
    EngineResult result;
};

struct Crew {
    Service *service;
    Worker workers[MAX_WORKERS];
    int size;
    Mutex lock; /* of the queue */
    Condition changed;
    Task *first, *last;
    Task *running[MAX_WORKERS];
    int waiting;
    bool quit;
};

/* -- The queue -- */

void crew_add(Crew *crew, Task *t)
{
    mutex_lock(&crew->lock);
    t->next = NULL;
    if (crew->last)
        crew->last->next = t;
    else
        crew->first = t;
    crew->last = t;
    crew->waiting++;
    condition_signal_all(&crew->changed);
    mutex_unlock(&crew->lock);
}

int crew_waiting(Crew *crew)
{
    mutex_lock(&crew->lock);
    int waiting = crew->waiting;
    mutex_unlock(&crew->lock);
    return waiting;
}

static Task *take(Crew *crew, int number)
{
    mutex_lock(&crew->lock);
    while (!crew->first && !crew->quit)
        condition_wait(&crew->changed, &crew->lock);
    Task *t = crew->first;
    if (t) {
        crew->first = t->next;
        if (!crew->first)
            crew->last = NULL;
        crew->waiting--;
        if (crew->quit)
            atomic_store(&t->stop, true);
        crew->running[number] = t;
    }
    mutex_unlock(&crew->lock);
    return t;
}

static void finish(Crew *crew, int number, Task *t)
{
    mutex_lock(&crew->lock);
    crew->running[number] = NULL;
    mutex_unlock(&crew->lock);
    mutex_lock(&crew->service->lock);
    t->done(crew->service, t);
    mutex_unlock(&crew->service->lock);
}

static void *worker_main(void *arg)
{
    Worker *w = arg;
    Crew *crew = w->crew;
    int number = (int)(w - crew->workers);
    for (Task *t; (t = take(crew, number)) != NULL;) {
        t->run(w, t);
        finish(crew, number, t);
    }
    return NULL;
}

/* -- Coming and going -- */

Status crew_open(Crew **out, Service *service, int size, Message *why)
{
    Crew *crew = calloc(1, sizeof *crew);
    if (!crew)
        return status_fail(why, STATUS_MEMORY, "no memory for the crew");
    crew->service = service;
    mutex_init(&crew->lock);
    condition_init(&crew->changed);
    Status s = STATUS_OK;
    for (int i = 0; i < size && i < MAX_WORKERS && s == STATUS_OK; i++) {
        Worker *w = &crew->workers[i];
        w->crew = crew;
        mutex_init(&w->lock);
        condition_init(&w->changed);
        s = thread_start(&w->thread, worker_main, w, WORKER_STACK, why);
        crew->size += s == STATUS_OK;
    }
    if (s != STATUS_OK) {
        crew_close(crew);
        return s;
    }
    *out = crew;
    return STATUS_OK;
}

void crew_close(Crew *crew)
{
    if (!crew)
        return;
    mutex_lock(&crew->lock);
    crew->quit = true;
    for (int i = 0; i < crew->size; i++)
        if (crew->running[i])
            atomic_store(&crew->running[i]->stop, true);
    condition_signal_all(&crew->changed);
    mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->size; i++) {
        Worker *w = &crew->workers[i];
        thread_join(w->thread);
        engine_destroy(w->engine);
        condition_free(&w->changed);
        mutex_free(&w->lock);
    }
    condition_free(&crew->changed);
    mutex_free(&crew->lock);
    free(crew);
}

/* -- Castellan itself -- */

static void search_done(void *user, const EngineResult *result)
{
    Worker *w = user;
    mutex_lock(&w->lock);
    w->result = *result;
    w->searched = true;
    condition_signal_all(&w->changed);
    mutex_unlock(&w->lock);
}

static bool open_engine(Worker *w)
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
    if (w->crew->service->options->tables)
        engine_set_option(w->engine, span_of("SyzygyPath"),
                          span_of(w->crew->service->options->tables), &why);
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

EngineResult worker_search(Worker *w, const Position *p, const SearchLimits *limits,
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
