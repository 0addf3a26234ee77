/* Thread pools: jobs are taken in the order they came, by a fixed number of threads. Each thread
 * can lend a job a session of the engine, a reviewer and a store of its own. */
#ifndef SERVICE_POOL_INT_H
#define SERVICE_POOL_INT_H

#include "engine/engine.h"
#include "service/service_int.h"
#include "study/review.h"

typedef struct Pool Pool;
typedef struct PoolWorker PoolWorker;
typedef struct PoolJob PoolJob;

struct PoolJob {
    PoolJob *next;
    Service *service;                             /* whose pool it was added to */
    void (*run)(PoolWorker *w, PoolJob *job);     /* on a thread of the pool */
    void (*done)(Service *service, PoolJob *job); /* under Service.lock; frees the job */
    atomic_bool stop;                             /* asks `run` to end soon */
};

Status pool_open(Pool **p, Service *service, int threads, int niceness, Message *why);
void pool_stop(Pool *p); /* stops what is under way; every job gets its `done`. NULL is fine */
void pool_free(Pool *p); /* after pool_stop; NULL is fine */

/* False, and the job is still the caller's, when the pool has stopped or too many jobs wait. */
bool pool_add(Pool *p, PoolJob *job);
void pool_cancel(Pool *p, PoolJob *job); /* whether it waits or runs */

/* Adds the pool's jobs, and its threads without a job that still keep an engine, a store or an
 * opponent's memory. */
typedef struct PoolCounts {
    int waiting, running, kept;
} PoolCounts;

void pool_count(Pool *p, PoolCounts *counts);

/* For `run`. The store is NULL, and `why` says it, when it cannot be opened. */
Store *pool_store(PoolWorker *w, Message *why);
OpponentScratch *pool_scratch(PoolWorker *w);
EngineResult pool_search(PoolWorker *w, const Position *p, const SearchLimits *limits);
/* A reviewer with the service's evaluation and tablebases, which stops when the job is to end. */
Status pool_reviewer_open(PoolWorker *w, ReviewOptions options, Reviewer **out, Message *why);
void pool_reviewer_close(PoolWorker *w);

#endif
