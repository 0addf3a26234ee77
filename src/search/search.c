/* The functions of search.h: create and configure a pool, start and stop searches. */
#include "search/search_int.h"

#include <stdlib.h>

/* -- Creating and configuring -- */

Status search_create(SearchPool **out, const Evaluator *evaluator, unsigned hash_mb, Message *why)
{
    SearchPool *pool = calloc(1, sizeof *pool);
    RootMove *moves = calloc(MAX_MOVES, sizeof *moves);
    if (!pool || !moves) {
        free(pool);
        free(moves);
        return status_fail(why, STATUS_MEMORY, "not enough memory for a search");
    }
    pool->root_moves = moves;
    pool->evaluator = evaluator;
    params_defaults(&pool->params);
    mutex_init(&pool->lock);
    condition_init(&pool->start);
    condition_init(&pool->changed);
    Status status = tt_resize(&pool->tt, hash_mb, why);
    if (status == STATUS_OK)
        status = thread_pool_start(pool, 1, why);
    if (status != STATUS_OK) {
        search_destroy(pool);
        return status;
    }
    *out = pool;
    return STATUS_OK;
}

void search_destroy(SearchPool *pool)
{
    if (!pool)
        return;
    search_stop(pool);
    search_wait(pool);
    thread_pool_stop(pool);
    tt_free(&pool->tt);
    condition_free(&pool->changed);
    condition_free(&pool->start);
    mutex_free(&pool->lock);
    free(pool->root_moves);
    free(pool);
}

Status search_set_threads(SearchPool *pool, int threads, Message *why)
{
    search_wait(pool);
    int old = pool->count;
    thread_pool_stop(pool);
    Status status = thread_pool_start(pool, threads, why);
    if (status == STATUS_OK || (old == 0 && pool->count == 0))
        return status;
    thread_pool_stop(pool);
    thread_pool_start(pool, max_int(old, 1), NULL);
    return status;
}

Status search_set_hash(SearchPool *pool, size_t megabytes, Message *why)
{
    search_wait(pool);
    return tt_resize(&pool->tt, megabytes, why);
}

Status search_set_evaluator(SearchPool *pool, const Evaluator *evaluator, Message *why)
{
    search_wait(pool);
    const Evaluator *old = pool->evaluator;
    pool->evaluator = evaluator;
    Status status = search_set_threads(pool, pool->count, why);
    if (status != STATUS_OK) {
        pool->evaluator = old;
        search_set_threads(pool, max_int(pool->count, 1), NULL);
    }
    return status;
}

bool search_set_param(SearchPool *pool, int row, int value)
{
    search_wait(pool);
    bool set = params_set(&pool->params, row, value);
    for (int i = 0; i < pool->count && set; i++)
        pool->workers[i]->params = pool->params;
    return set;
}

void search_clear(SearchPool *pool)
{
    search_wait(pool);
    tt_clear(&pool->tt, pool->count);
    for (int i = 0; i < pool->count; i++)
        history_clear(pool->workers[i]->history);
}

/* -- Searching -- */

static void search_prepare(SearchPool *pool, const Position *p, const SearchLimits *limits,
                           const SearchOptions *options, const SearchEvents *events)
{
    search_wait(pool);
    pool->root = *p;
    pool->limits = *limits;
    pool->options = *options;
    pool->events = *events;
    if (!pool->limits.start_ms)
        pool->limits.start_ms = clock_now_ms();
    lag_update_from_clock(&pool->lag, limits, p);
    pool->stalls = (StallMeter){.checked_ms = clock_now_ms()};
    pool->time = time_limits_for(&pool->params, limits, options, p, lag_expected_ms(&pool->lag));
    root_moves_init(pool);
    tt_new_search(&pool->tt);
}

void search_start(SearchPool *pool, const Position *p, const SearchLimits *limits,
                  const SearchOptions *options, const SearchEvents *events)
{
    search_prepare(pool, p, limits, options, events);
    thread_pool_search(pool);
}

void search_stop(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    atomic_store(&pool->stop, true);
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->lock);
}

void search_ponderhit(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    atomic_store(&pool->pondering, false);
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->lock);
}

bool search_running(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    bool running = pool->searching;
    mutex_unlock(&pool->lock);
    return running;
}

/* Handing a search over to another thread and back costs as much as some 50 nodes: short searches
 * with one thread, as self-play makes by the million, stay in the caller's. */
SearchResult search_run(SearchPool *pool, const Position *p, const SearchLimits *limits,
                        const SearchOptions *options, const SearchEvents *events)
{
    static const SearchEvents silent = {0};
    search_prepare(pool, p, limits, options, events ? events : &silent);
    if (pool->count == 1) {
        thread_pool_search_here(pool);
    } else {
        thread_pool_search(pool);
        search_wait(pool);
    }
    return pool->result;
}

uint64_t search_nodes(const SearchPool *pool)
{
    return pool_nodes(pool);
}
