/* Iterative deepening, for one thread. The main thread also reports and checks the soft limit. */
#include "search/search_int.h"

#include <stddef.h>
#include <string.h>

static void search_iteration(SearchWorker *w, int depth)
{
    for (int i = 0; i < w->root_count; i++) {
        w->root[i].previous = w->root[i].score;
        w->root[i].bound = BOUND_EXACT;
    }
    int lines = min_int(w->pool->options.multi_pv, w->root_count);
    for (w->pv_index = 0; w->pv_index < lines && !w->stopped; w->pv_index++) {
        aspiration_search(w, depth);
        root_moves_sort(w, 0, w->pv_index + 1);
        w->has_line = true;
    }
    w->pv_index = 0;
}

static bool mate_limit_reached(const SearchWorker *w)
{
    int wanted = w->pool->limits.mate;
    Score s = w->root[0].score;
    return wanted > 0 && s >= SCORE_MATE_MIN && score_mate_moves(s) <= wanted;
}

static int64_t soft_limit_ms(const SearchWorker *w, Score average_score)
{
    uint64_t all = worker_nodes(w);
    TimeFactors factors = {.best_move_share = all ? (double)w->root[0].nodes / (double)all : 1,
                           .stable_iterations = w->stable_iterations,
                           .score_drop = average_score - w->root[0].score};
    return time_soft_limit_ms(&w->params, &w->pool->time, &factors);
}

/* Checked by the main thread after each iteration. */
static bool soft_limit_reached(SearchWorker *w, Score average_score)
{
    const SearchLimits *l = &w->pool->limits;
    if (mate_limit_reached(w) || (l->soft_nodes && pool_nodes(w->pool) >= l->soft_nodes))
        return true;
    const TimeLimits *time = &w->pool->time;
    if (!time->active || pool_is_pondering(w->pool))
        return false;
    int64_t limit = soft_limit_ms(w, average_score);
    if (w->root_count == 1 && !time->fixed)
        limit = limit / 8; /* a forced move: search only for its score and the ponder move */
    return pool_elapsed_ms(w->pool) >= limit;
}

static void update_stability(SearchWorker *w, Move *last_best)
{
    w->stable_iterations = w->root[0].move == *last_best ? w->stable_iterations + 1 : 0;
    *last_best = w->root[0].move;
}

/* The PVs are not cleared: their lengths are. */
static void clear_stack(SearchWorker *w)
{
    for (int i = 0; i < (int)(sizeof w->stack_memory / sizeof w->stack_memory[0]); i++) {
        SearchStack *ss = &w->stack_memory[i];
        memset(ss, 0, offsetof(SearchStack, pv));
        ss->static_eval = SCORE_NONE;
        ss->continuation_history = &w->history->continuation[0][PIECE_COUNT][0];
        ss->continuation_correction = &w->history->continuation_correction[PIECE_COUNT][0];
    }
    w->stack = w->stack_memory + STACK_BEFORE_ROOT;
}

static void prepare_worker(SearchWorker *w)
{
    clear_stack(w);
    w->stopped = w->has_line = w->pv_lacks_mate = w->final_report = false;
    w->mate_search = w->pool->limits.mate > 0;
    w->disable_lmp = w->pool->limits.disable_lmp;
    w->pv_extension_ns = 0;
    w->completed_depth = w->stable_iterations = w->null_blocked_ply = w->check_countdown = 0;
    eval_reset(w->eval, &w->pos);
}

/* A full-width search of 2N - 1 plies finds a mate in N, or proves that there is none. */
static int last_iteration(const SearchWorker *w)
{
    const SearchLimits *l = &w->pool->limits;
    int last = l->depth > 0 ? l->depth : MAX_PLY - 1;
    if (w->mate_search)
        last = min_int(last, 2 * min_int(l->mate, MAX_PLY) - 1);
    return min_int(last, MAX_PLY - 1);
}

void iterative_deepening(SearchWorker *w)
{
    prepare_worker(w);
    int last = last_iteration(w);
    Move last_best = MOVE_NONE;
    Score average_score = 0;
    for (int depth = 1; depth <= last && !w->stopped; depth++) {
        w->root_depth = depth;
        search_iteration(w, depth);
        if (w->stopped)
            break;
        w->completed_depth = depth;
        update_stability(w, &last_best);
        average_score = depth == 1 ? w->root[0].score : (3 * average_score + w->root[0].score) / 4;
        if (w->id)
            continue;
        root_report(w, depth);
        if (soft_limit_reached(w, average_score))
            pool_request_stop(w->pool);
        if (pool_should_stop(w->pool))
            break;
    }
    /* A stopped iteration may have changed the PVs: the last block reported is the one that counts.
     * */
    bool unreported = w->stopped && w->id == 0 && w->has_line && w->root_depth > 1;
    if (w->pv_lacks_mate || unreported) {
        w->final_report = true;
        root_report(w, w->root_depth);
    }
}
