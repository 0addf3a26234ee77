/* The threads of the pool. They sleep until a search is started and then all search the same
 * position with one transposition table (lazy SMP). The main thread ends the search for all. */
#include "search/search_int.h"

#include <stdlib.h>
#include <string.h>

enum { THREAD_STACK_BYTES = 16 << 20 };

/* -- A search on one thread -- */

static void wait_for_stop_or_ponderhit(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    while (!pool_should_stop(pool) && (pool->limits.infinite || pool_is_pondering(pool)))
        condition_wait(&pool->changed, &pool->lock);
    mutex_unlock(&pool->lock);
}

static void helper_finished(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    pool->active--;
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->lock);
}

/* The main thread stops the others, chooses the move and reports it. Sleeping threads wait for
 * `start`: the end of a search in the caller's thread wakes none of them. */
static void main_thread_finish(SearchPool *pool)
{
    wait_for_stop_or_ponderhit(pool);
    atomic_store(&pool->stop, true);
    mutex_lock(&pool->lock);
    while (pool->active > 1)
        condition_wait(&pool->changed, &pool->lock);
    mutex_unlock(&pool->lock);
    pool->result = best_thread_result(pool);
    lag_update_from_move(&pool->lag, &pool->limits, &pool->time, &pool->root, pool->result.time_ms,
                         pool->stalls.longest_ms);
    if (pool->events.done)
        pool->events.done(pool->events.user, &pool->result);
    mutex_lock(&pool->lock);
    pool->active = 0;
    pool->searching = false;
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->lock);
}

static void worker_search(SearchWorker *w)
{
    SearchPool *pool = w->pool;
    w->pos = pool->root;
    w->root_count = pool->root_count;
    for (int i = 0; i < w->root_count; i++) /* without the room for lines: each has one move */
        memcpy(&w->root[i], &pool->root_moves[i], offsetof(RootMove, pv) + sizeof(Move));
    if (w->root_count)
        iterative_deepening(w);
    if (w->id == 0)
        main_thread_finish(pool);
    else
        helper_finished(pool);
}

static void *thread_main(void *arg)
{
    SearchWorker *w = arg;
    SearchPool *pool = w->pool;
    uint64_t finished = 0;
    for (;;) {
        mutex_lock(&pool->lock);
        while (pool->search_number == finished && !pool->quit)
            condition_wait(&pool->start, &pool->lock);
        finished = pool->search_number;
        bool quit = pool->quit;
        mutex_unlock(&pool->lock);
        if (quit)
            return NULL;
        worker_search(w);
    }
}

static void begin_search(SearchPool *pool, bool wake_threads)
{
    for (int i = 0; i < pool->count; i++) {
        atomic_store(&pool->workers[i]->nodes, 0);
        atomic_store(&pool->workers[i]->tb_hits, 0);
    }
    mutex_lock(&pool->lock);
    atomic_store(&pool->stop, false);
    atomic_store(&pool->pondering, pool->limits.ponder);
    pool->active = pool->count;
    pool->searching = true;
    if (wake_threads) {
        pool->search_number++;
        condition_signal_all(&pool->start);
    }
    mutex_unlock(&pool->lock);
}

void thread_pool_search(SearchPool *pool)
{
    begin_search(pool, true);
}

void thread_pool_search_here(SearchPool *pool)
{
    begin_search(pool, false);
    worker_search(pool->workers[0]);
}

void search_wait(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    while (pool->searching)
        condition_wait(&pool->changed, &pool->lock);
    mutex_unlock(&pool->lock);
}

/* -- Creating and ending the threads -- */

static void worker_free(SearchWorker *w)
{
    if (!w)
        return;
    if (w->eval)
        eval_close(w->eval);
    free(w->history);
    free(w->root);
    free(w);
}

static SearchWorker *worker_new(SearchPool *pool, int id)
{
    SearchWorker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->pool = pool;
    w->id = id;
    w->tt = &pool->tt;
    w->params = pool->params;
    w->history = calloc(1, sizeof *w->history);
    w->root = calloc(MAX_MOVES, sizeof *w->root);
    w->eval = eval_open(pool->evaluator);
    if (w->history && w->root && w->eval)
        return w;
    worker_free(w);
    return NULL;
}

void thread_pool_stop(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    pool->quit = true;
    condition_signal_all(&pool->start);
    mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++) {
        thread_join(pool->threads[i]);
        worker_free(pool->workers[i]);
    }
    free(pool->workers);
    free(pool->threads);
    pool->workers = NULL;
    pool->threads = NULL;
    pool->count = 0;
    pool->quit = false;
    pool->search_number = 0;
}

/* On failure pool->count says how many threads were started. */
Status thread_pool_start(SearchPool *pool, int wanted, Message *why)
{
    pool->workers = calloc((size_t)wanted, sizeof *pool->workers);
    pool->threads = calloc((size_t)wanted, sizeof *pool->threads);
    if (!pool->workers || !pool->threads)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d threads", wanted);
    while (pool->count < wanted) {
        SearchWorker *w = worker_new(pool, pool->count);
        if (!w)
            return status_fail(why, STATUS_MEMORY, "not enough memory for %d threads", wanted);
        Status status =
            thread_start(&pool->threads[pool->count], thread_main, w, THREAD_STACK_BYTES, why);
        if (status != STATUS_OK) {
            worker_free(w);
            return status;
        }
        pool->workers[pool->count++] = w;
    }
    return STATUS_OK;
}
