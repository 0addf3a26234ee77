/* When to stop: node limits and the hard time limit, checked every few hundred nodes. The soft time
 * limit is checked between iterations (iterative_deepening.c). */
#include "search/search_int.h"

enum { CHECK_INTERVAL_NODES = 512 };

uint64_t pool_nodes(const SearchPool *pool)
{
    uint64_t sum = 0;
    for (int i = 0; i < pool->count; i++)
        sum += worker_nodes(pool->workers[i]);
    return sum;
}

uint64_t pool_tb_hits(const SearchPool *pool)
{
    uint64_t sum = 0;
    for (int i = 0; i < pool->count; i++)
        sum += atomic_load_explicit(&pool->workers[i]->tb_hits, memory_order_relaxed);
    return sum;
}

void pool_request_stop(SearchPool *pool)
{
    if (!pool->limits.infinite && !pool_is_pondering(pool))
        atomic_store(&pool->stop, true);
}

static void check_node_limit(SearchPool *pool, SearchWorker *w)
{
    uint64_t limit = pool->limits.nodes, nodes = pool_nodes(pool);
    if (nodes >= limit && worker_may_stop(w))
        pool_request_stop(pool);
    else if (limit > nodes && limit - nodes < CHECK_INTERVAL_NODES)
        w->check_countdown = (int)(limit - nodes); /* exact with one thread */
}

static void check_time(SearchPool *pool, SearchWorker *w)
{
    int64_t now = clock_now_ms();
    stall_check(&pool->stalls, now);
    if (worker_may_stop(w) && !pool_is_pondering(pool) &&
        now - pool->limits.start_ms >= time_hard_limit_ms(&pool->time, &pool->stalls))
        pool_request_stop(pool);
}

void pool_check_limits(SearchPool *pool, SearchWorker *w)
{
    w->check_countdown = CHECK_INTERVAL_NODES;
    thread_yield();
    if (pool->limits.nodes)
        check_node_limit(pool, w);
    if (w->id == 0 && pool->time.active)
        check_time(pool, w);
}
