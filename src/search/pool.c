/* The pool: its threads sleep until a search is started, then all work on the same position with one
 * table (lazy SMP). The first one keeps the clock, ends the search for all, and picks the move. */
#include "search/search_int.h"

#include "base/clock.h"
#include "base/thread.h"
#include "chess/movegen.h"

#include <stdlib.h>
#include <string.h>

struct SearchPool {
    TranspositionTable tt;
    const Evaluator *evaluator;
    Worker **workers;
    Thread *threads;
    int count;

    Mutex lock; /* guards the three below */
    Condition changed;
    uint64_t job; /* number of the search asked for */
    int active;   /* workers still on it */
    bool searching, quit;

    _Atomic bool stop, pondering;
    Position root;
    SearchLimits limits;
    SearchOptions options;
    SearchEvents events;
    SearchParams params;
    TimeBudget budget;
    LagMeter lag;
    RootMove *root_moves; /* MAX_MOVES of them, the list every worker starts from */
    int root_count;
    bool root_in_tb;
    SearchResult result;
};

enum { CHECK_EVERY = 512, WORKER_STACK = 16 << 20 };

/* -- What workers ask -- */

bool pool_should_stop(const SearchPool *pool)
{
    return atomic_load_explicit(&pool->stop, memory_order_relaxed);
}

void pool_request_stop(SearchPool *pool)
{
    if (!pool->limits.infinite && !pool_is_pondering(pool))
        atomic_store(&pool->stop, true);
}

bool pool_is_pondering(const SearchPool *pool)
{
    return atomic_load_explicit(&pool->pondering, memory_order_relaxed);
}

const SearchLimits *pool_limits(const SearchPool *pool)
{
    return &pool->limits;
}

const SearchOptions *pool_options(const SearchPool *pool)
{
    return &pool->options;
}

const SearchEvents *pool_events(const SearchPool *pool)
{
    return &pool->events;
}

TimeBudget *pool_budget(SearchPool *pool)
{
    return &pool->budget;
}

int64_t pool_elapsed_ms(const SearchPool *pool)
{
    return clock_now_ms() - pool->limits.start_ms;
}

bool pool_root_in_tb(const SearchPool *pool)
{
    return pool->root_in_tb;
}

uint64_t pool_nodes(const SearchPool *pool)
{
    uint64_t sum = 0;
    for (int i = 0; i < pool->count; i++)
        sum += atomic_load_explicit(&pool->workers[i]->nodes, memory_order_relaxed);
    return sum;
}

uint64_t pool_tb_hits(const SearchPool *pool)
{
    uint64_t sum = 0;
    for (int i = 0; i < pool->count; i++)
        sum += atomic_load_explicit(&pool->workers[i]->tb_hits, memory_order_relaxed);
    return sum;
}

void pool_check_limits(SearchPool *pool, Worker *w)
{
    w->check_countdown = CHECK_EVERY;
    const SearchLimits *l = &pool->limits;
    if (l->nodes) {
        uint64_t nodes = pool_nodes(pool);
        if (nodes >= l->nodes && worker_may_stop(w))
            pool_request_stop(pool);
        else if (l->nodes > nodes && l->nodes - nodes < CHECK_EVERY)
            w->check_countdown = (int)(l->nodes - nodes); /* exact with one thread */
    }
    if (w->id == 0 && pool->budget.active && worker_may_stop(w) && !pool_is_pondering(pool) &&
        pool_elapsed_ms(pool) >= pool->budget.hard_ms)
        pool_request_stop(pool);
}

/* -- Choosing the move -- */

static Score worst_score(const SearchPool *pool)
{
    Score worst = SCORE_INFINITE;
    for (int i = 0; i < pool->count; i++)
        if (pool->workers[i]->completed_depth)
            worst = min_int(worst, pool->workers[i]->root[0].score);
    return worst;
}

/* Each thread votes for its move with its depth and its score; a proven win is not voted away. */
static Worker *best_worker(SearchPool *pool)
{
    Worker *best = pool->workers[0];
    if (pool->options.multi_pv > 1 || pool->limits.depth)
        return best;
    Score worst = worst_score(pool);
    int64_t best_votes = -1;
    for (int i = 0; i < pool->count; i++) {
        const Worker *w = pool->workers[i];
        if (!w->completed_depth)
            continue;
        int64_t votes = 0;
        for (int k = 0; k < pool->count; k++) {
            const Worker *v = pool->workers[k];
            if (v->completed_depth && v->root[0].move == w->root[0].move)
                votes += (int64_t)(v->root[0].score - worst + 14) * v->completed_depth;
        }
        bool better = votes > best_votes ||
                      (votes == best_votes && w->completed_depth > best->completed_depth);
        if (score_is_decisive(best->root[0].score) && i)
            better = w->root[0].score > best->root[0].score;
        if (better) {
            best_votes = votes;
            best = pool->workers[i];
        }
    }
    return best;
}

/* The reply to the best move, from the table when the line is too short to tell. */
static Move ponder_move(const SearchPool *pool, const RootMove *r)
{
    if (r->pv_length > 1)
        return r->pv[1];
    Position p = pool->root;
    Undo undo;
    pos_make(&p, r->move, &undo);
    TtProbe hit = tt_probe(&pool->tt, p.st.key, 1, p.st.rule50);
    return hit.move && pos_is_legal(&p, hit.move) ? hit.move : MOVE_NONE;
}

static SearchResult result_of(SearchPool *pool)
{
    SearchResult result = {
        .nodes = pool_nodes(pool), .tb_hits = pool_tb_hits(pool), .time_ms = pool_elapsed_ms(pool)};
    if (!pool->root_count) {
        result.score = pos_in_check(&pool->root) ? score_mated_in(0) : SCORE_DRAW;
        return result;
    }
    Worker *w = best_worker(pool);
    const RootMove *r = &w->root[0];
    if (w->id)
        root_report(w, max_int(w->completed_depth, 1));
    result.best = r->move;
    result.ponder = ponder_move(pool, r);
    result.score = r->score == -SCORE_INFINITE ? r->previous : r->score;
    if (result.score == -SCORE_INFINITE) /* stopped before any move was looked at */
        result.score = SCORE_DRAW;
    if (pool->root_in_tb && !score_is_mate(result.score))
        result.score = r->tb_score;
    result.depth = w->completed_depth;
    result.seldepth = r->seldepth;
    return result;
}

/* -- Threads -- */

static void wait_for_permission_to_end(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    while (!pool_should_stop(pool) && (pool->limits.infinite || pool_is_pondering(pool)))
        condition_wait(&pool->changed, &pool->lock);
    mutex_unlock(&pool->lock);
}

static void worker_left(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    pool->active--;
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->lock);
}

/* The first worker: ends the search for all, and tells. */
static void conclude(SearchPool *pool)
{
    wait_for_permission_to_end(pool);
    atomic_store(&pool->stop, true);
    mutex_lock(&pool->lock);
    while (pool->active > 1)
        condition_wait(&pool->changed, &pool->lock);
    mutex_unlock(&pool->lock);
    pool->result = result_of(pool);
    timing_hear_move(&pool->lag, &pool->limits, &pool->budget, &pool->root, pool->result.time_ms);
    if (pool->events.done)
        pool->events.done(pool->events.user, &pool->result);
    mutex_lock(&pool->lock);
    pool->active = 0;
    pool->searching = false;
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->lock);
}

static void worker_search(Worker *w)
{
    SearchPool *pool = w->pool;
    w->pos = pool->root;
    w->root_count = pool->root_count;
    memcpy(w->root, pool->root_moves, sizeof *w->root * (size_t)pool->root_count);
    if (w->root_count)
        root_search(w);
    if (w->id == 0)
        conclude(pool);
    else
        worker_left(pool);
}

static void *worker_main(void *arg)
{
    Worker *w = arg;
    SearchPool *pool = w->pool;
    uint64_t done = 0;
    for (;;) {
        mutex_lock(&pool->lock);
        while (pool->job == done && !pool->quit)
            condition_wait(&pool->changed, &pool->lock);
        done = pool->job;
        bool quit = pool->quit;
        mutex_unlock(&pool->lock);
        if (quit)
            return NULL;
        worker_search(w);
    }
}

/* -- Life of workers -- */

static void worker_free(Worker *w)
{
    if (!w)
        return;
    if (w->eval)
        eval_close(w->eval);
    free(w->history);
    free(w->root);
    free(w);
}

static Worker *worker_new(SearchPool *pool, int id)
{
    Worker *w = calloc(1, sizeof *w);
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

static void stop_threads(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    pool->quit = true;
    condition_signal_all(&pool->changed);
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
    pool->job = 0;
}

/* Starts up to `wanted` workers; how many did is in pool->count. */
static Status start_threads(SearchPool *pool, int wanted, Message *why)
{
    pool->workers = calloc((size_t)wanted, sizeof *pool->workers);
    pool->threads = calloc((size_t)wanted, sizeof *pool->threads);
    if (!pool->workers || !pool->threads)
        return status_fail(why, STATUS_MEMORY, "no memory for %d threads", wanted);
    while (pool->count < wanted) {
        Worker *w = worker_new(pool, pool->count);
        if (!w)
            return status_fail(why, STATUS_MEMORY, "no memory for %d threads", wanted);
        Status status =
            thread_start(&pool->threads[pool->count], worker_main, w, WORKER_STACK, why);
        if (status != STATUS_OK) {
            worker_free(w);
            return status;
        }
        pool->workers[pool->count++] = w;
    }
    return STATUS_OK;
}

Status search_set_threads(SearchPool *pool, int threads, Message *why)
{
    search_wait(pool);
    int old = pool->count;
    stop_threads(pool);
    Status status = start_threads(pool, threads, why);
    if (status == STATUS_OK || (old == 0 && pool->count == 0))
        return status;
    stop_threads(pool);
    start_threads(pool, max_int(old, 1), NULL);
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

Status search_create(SearchPool **out, const Evaluator *evaluator, unsigned hash_mb, Message *why)
{
    SearchPool *pool = calloc(1, sizeof *pool);
    RootMove *moves = calloc(MAX_MOVES, sizeof *moves);
    if (!pool || !moves) {
        free(pool);
        free(moves);
        return status_fail(why, STATUS_MEMORY, "no memory for a search");
    }
    pool->root_moves = moves;
    pool->evaluator = evaluator;
    params_defaults(&pool->params);
    mutex_init(&pool->lock);
    condition_init(&pool->changed);
    Status status = tt_resize(&pool->tt, hash_mb, why);
    if (status == STATUS_OK)
        status = start_threads(pool, 1, why);
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
    stop_threads(pool);
    tt_free(&pool->tt);
    condition_free(&pool->changed);
    mutex_free(&pool->lock);
    free(pool->root_moves);
    free(pool);
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

static bool is_asked_for(const SearchLimits *l, Move m)
{
    for (int i = 0; i < l->only_count; i++)
        if (l->only[i] == m)
            return true;
    return l->only_count == 0;
}

static void list_root_moves(SearchPool *pool)
{
    Move moves[MAX_MOVES];
    int count = movegen(&pool->root, GEN_ALL, moves);
    pool->root_count = 0;
    for (int i = 0; i < count; i++) {
        if (!is_asked_for(&pool->limits, moves[i]))
            continue;
        RootMove *r = &pool->root_moves[pool->root_count++];
        memset(r, 0, sizeof *r);
        r->move = r->pv[0] = moves[i];
        r->pv_length = 1;
        r->score = r->previous = r->average = r->shown = -SCORE_INFINITE;
        r->bound = BOUND_EXACT;
    }
}

static Score root_tb_score(const SearchPool *pool, TbWdl wdl)
{
    int edge = pool->options.tb_rule50 ? 1 : 0;
    if (wdl > edge)
        return SCORE_TB_WIN;
    if (wdl < -edge)
        return -SCORE_TB_WIN;
    return SCORE_DRAW + wdl;
}

/* With tables for the root position, only moves that keep its value are searched. */
static void rank_root_moves(SearchPool *pool)
{
    pool->root_in_tb = false;
    const SearchOptions *o = &pool->options;
    int men = bb_count(pos_occupied(&pool->root));
    if (!o->tb || men > o->tb_probe_limit || men > tb_max_men(o->tb))
        return;
    TbRootMove ranked[MAX_MOVES];
    int count = 0;
    if (!tb_rank_moves(o->tb, &pool->root, o->tb_rule50, ranked, &count))
        return;
    pool->root_in_tb = true;
    for (int i = 0; i < pool->root_count; i++)
        for (int k = 0; k < count; k++)
            if (ranked[k].move == pool->root_moves[i].move) {
                pool->root_moves[i].tb_rank = ranked[k].rank;
                pool->root_moves[i].tb_score = root_tb_score(pool, ranked[k].wdl);
            }
}

static int by_rank(const void *a, const void *b)
{
    int x = ((const RootMove *)a)->tb_rank, y = ((const RootMove *)b)->tb_rank;
    return (x < y) - (x > y);
}

void search_start(SearchPool *pool, const Position *p, const SearchLimits *limits,
                  const SearchOptions *options, const SearchEvents *events)
{
    search_wait(pool);
    pool->root = *p;
    pool->limits = *limits;
    pool->options = *options;
    pool->events = *events;
    if (!pool->limits.start_ms)
        pool->limits.start_ms = clock_now_ms();
    timing_hear_clock(&pool->lag, limits, p);
    pool->budget = timing_plan(&pool->params, limits, options, p->side, pool->lag.lag_ms);
    list_root_moves(pool);
    rank_root_moves(pool);
    if (pool->root_in_tb)
        qsort(pool->root_moves, (size_t)pool->root_count, sizeof *pool->root_moves, by_rank);
    for (int i = 0; i < pool->count; i++) {
        atomic_store(&pool->workers[i]->nodes, 0);
        atomic_store(&pool->workers[i]->tb_hits, 0);
    }
    tt_new_search(&pool->tt);
    mutex_lock(&pool->lock);
    atomic_store(&pool->stop, false);
    atomic_store(&pool->pondering, limits->ponder);
    pool->active = pool->count;
    pool->searching = true;
    pool->job++;
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->lock);
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

void search_wait(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    while (pool->searching)
        condition_wait(&pool->changed, &pool->lock);
    mutex_unlock(&pool->lock);
}

bool search_running(SearchPool *pool)
{
    mutex_lock(&pool->lock);
    bool running = pool->searching;
    mutex_unlock(&pool->lock);
    return running;
}

SearchResult search_run(SearchPool *pool, const Position *p, const SearchLimits *limits,
                        const SearchOptions *options, const SearchEvents *events)
{
    static const SearchEvents silent = {0};
    search_start(pool, p, limits, options, events ? events : &silent);
    search_wait(pool);
    return pool->result;
}

uint64_t search_nodes(const SearchPool *pool)
{
    return pool_nodes(pool);
}
