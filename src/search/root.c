/* Iterative deepening with aspiration windows, for one worker. The first worker also reports and
 * watches the soft limit. */
#include "search/search_int.h"

#include <stdlib.h>
#include <string.h>

RootMove *root_find(Worker *w, Move m)
{
    for (int i = 0; i < w->root_count; i++)
        if (w->root[i].move == m)
            return &w->root[i];
    return NULL;
}

static bool comes_before(const RootMove *a, const RootMove *b)
{
    if (a->tb_rank != b->tb_rank)
        return a->tb_rank > b->tb_rank;
    return a->score != b->score ? a->score > b->score : a->previous > b->previous;
}

/* Stable, so that moves nobody has beaten keep their order: [from, end) of the list. */
static void root_sort(Worker *w, int from, int end)
{
    for (int i = from + 1; i < end; i++) {
        RootMove r = w->root[i];
        int k = i;
        for (; k > from && comes_before(&r, &w->root[k - 1]); k--)
            w->root[k] = w->root[k - 1];
        w->root[k] = r;
    }
}

/* -- Reporting -- */

/* What would flood a reader is told only by searches that have taken this long. */
enum { QUIET_MS = 3000 };

void root_tell_move(const Worker *w, Move m, int number)
{
    const SearchEvents *events = pool_events(w->pool);
    if (w->id == 0 && events->current_move && pool_elapsed_ms(w->pool) > QUIET_MS)
        events->current_move(events->user, w->root_depth, m, w->pv_index + number);
}

static void report_line(Worker *w, int depth, int index, bool searched)
{
    const RootMove *r = &w->root[index];
    Score score = searched ? r->shown : r->previous;
    if (pool_root_in_tb(w->pool) && !score_is_mate(score))
        score = r->tb_score;
    SearchLine line = {.depth = searched ? depth : max_int(depth - 1, 1),
                       .seldepth = max_int(r->seldepth, 1),
                       .multipv = index + 1,
                       .score = score,
                       .bound = searched ? r->bound : BOUND_EXACT,
                       .nodes = pool_nodes(w->pool),
                       .tb_hits = pool_tb_hits(w->pool),
                       .time_ms = pool_elapsed_ms(w->pool),
                       .hashfull = tt_hashfull(w->tt),
                       .pv = r->pv,
                       .pv_length = r->pv_length};
    ExtendedPv whole;
    bool promised = pool_root_in_tb(w->pool) && score_is_decisive(score) && !score_is_mate(score);
    w->owes_mate = promised && !extend_pv(w, r, &whole);
    if (promised && !w->owes_mate) {
        line.pv = whole.moves;
        line.pv_length = whole.length;
    }
    const SearchEvents *events = pool_events(w->pool);
    events->line(events->user, &line);
}

void root_report(Worker *w, int depth)
{
    if (!pool_events(w->pool)->line)
        return;
    int lines = min_int(pool_options(w->pool)->multi_pv, w->root_count);
    for (int i = 0; i < lines; i++) {
        bool searched = w->root[i].score != -SCORE_INFINITE;
        if (searched || (depth > 1 && w->root[i].previous != -SCORE_INFINITE))
            report_line(w, depth, i, searched);
    }
}

/* -- Aspiration -- */

typedef struct Window {
    Score alpha, beta;
    int delta;
} Window;

static Window window_around(const Worker *w, int depth)
{
    const RootMove *r = &w->root[w->pv_index];
    Score centre = r->average;
    if (depth < 4 || centre == -SCORE_INFINITE || score_is_decisive(centre))
        return (Window){-SCORE_INFINITE, SCORE_INFINITE, SCORE_INFINITE};
    int delta = param(w, aspiration_delta) + abs(centre) * abs(centre) / 16000;
    return (Window){max_int(centre - delta, -SCORE_INFINITE),
                    min_int(centre + delta, SCORE_INFINITE), delta};
}

/* Searches one line of one iteration until its score lies inside the window. */
static void aspirate(Worker *w, int depth)
{
    Window win = window_around(w, depth);
    int highs = 0;
    for (;;) {
        w->seldepth = 0;
        Node n = {.depth = max_int(depth - (w->proving ? 0 : highs), 1),
                  .alpha = win.alpha,
                  .beta = win.beta,
                  .pv = true};
        Score score = node_search(w, &n);
        root_sort(w, w->pv_index, w->root_count);
        if (w->stopped)
            return;
        bool low = score <= win.alpha, high = score >= win.beta;
        if (!low && !high)
            return;
        if (w->id == 0 && pool_options(w->pool)->multi_pv == 1 &&
            pool_elapsed_ms(w->pool) > QUIET_MS)
            root_report(w, depth);
        if (low) {
            win.beta = (win.alpha + win.beta) / 2;
            win.alpha = max_int(score - win.delta, -SCORE_INFINITE);
            highs = 0;
        } else {
            win.beta = min_int(score + win.delta, SCORE_INFINITE);
            highs = score_is_decisive(score) ? 0 : min_int(highs + 1, 3);
        }
        win.delta += win.delta * param(w, aspiration_widen) / 100;
        if (win.delta > 600 || score_is_decisive(score)) /* no aspiring at mates */
            win = (Window){low ? -SCORE_INFINITE : win.alpha, high ? SCORE_INFINITE : win.beta,
                           win.delta};
    }
}

/* -- Iterations -- */

static void search_all_lines(Worker *w, int depth)
{
    for (int i = 0; i < w->root_count; i++) {
        w->root[i].previous = w->root[i].score;
        w->root[i].bound = BOUND_EXACT;
    }
    int lines = min_int(pool_options(w->pool)->multi_pv, w->root_count);
    for (w->pv_index = 0; w->pv_index < lines && !w->stopped; w->pv_index++) {
        aspirate(w, depth);
        root_sort(w, 0, w->pv_index + 1);
        w->has_line = true;
    }
    w->pv_index = 0;
}

static bool mate_limit_reached(const Worker *w)
{
    int wanted = pool_limits(w->pool)->mate;
    Score s = w->root[0].score;
    return wanted > 0 && s >= SCORE_MATE_MIN && score_mate_moves(s) <= wanted;
}

static int64_t soft_limit(const Worker *w, Score best_so_far)
{
    uint64_t all = worker_nodes(w);
    TimeSigns signs = {.best_share = all ? (double)w->root[0].nodes / (double)all : 1,
                       .stable_iterations = w->stable_iterations,
                       .score_drop = best_so_far - w->root[0].score};
    return timing_soft_ms(&w->params, pool_budget(w->pool), &signs);
}

/* The first worker decides after each iteration whether another one pays. */
static bool enough(Worker *w, Score trend)
{
    const SearchLimits *l = pool_limits(w->pool);
    if (mate_limit_reached(w) || (l->soft_nodes && pool_nodes(w->pool) >= l->soft_nodes))
        return true;
    const TimeBudget *budget = pool_budget(w->pool);
    if (!budget->active || pool_is_pondering(w->pool))
        return false;
    int64_t limit = soft_limit(w, trend);
    if (w->root_count == 1 && !budget->fixed)
        limit = limit / 8; /* nothing to decide; a little thought for the score and the reply */
    return pool_elapsed_ms(w->pool) >= limit;
}

static void note_stability(Worker *w, Move *last_best)
{
    w->stable_iterations = w->root[0].move == *last_best ? w->stable_iterations + 1 : 0;
    *last_best = w->root[0].move;
}

static void prepare(Worker *w)
{
    memset(w->plies, 0, sizeof w->plies);
    for (int i = 0; i < (int)(sizeof w->plies / sizeof w->plies[0]); i++) {
        w->plies[i].eval = SCORE_NONE;
        w->plies[i].reply = &w->history->reply[0][PIECE_COUNT][0];
        w->plies[i].correct = &w->history->correct_reply[PIECE_COUNT][0];
    }
    w->stack = w->plies + STACK_BELOW;
    w->stopped = w->has_line = w->owes_mate = w->last_line = false;
    w->late_moves = pool_limits(w->pool)->late_moves;
    w->extending_ns = 0;
    w->completed_depth = w->stable_iterations = w->null_blocked_ply = w->check_countdown = 0;
    eval_reset(w->eval, &w->pos);
}

/* A mate in N is found, or known not to be there, when 2N - 1 plies were searched without leaving anything
 * out. */
static int deepest_iteration(Worker *w)
{
    const SearchLimits *l = pool_limits(w->pool);
    w->proving = l->mate > 0;
    int deepest = l->depth > 0 ? l->depth : MAX_PLY - 1;
    if (w->proving)
        deepest = min_int(deepest, 2 * min_int(l->mate, MAX_PLY) - 1);
    return min_int(deepest, MAX_PLY - 1);
}

void root_search(Worker *w)
{
    prepare(w);
    int deepest = deepest_iteration(w);
    Move last_best = MOVE_NONE;
    Score trend = 0;
    for (int depth = 1; depth <= deepest && !w->stopped; depth++) {
        w->root_depth = depth;
        search_all_lines(w, depth);
        if (w->stopped)
            break;
        w->completed_depth = depth;
        note_stability(w, &last_best);
        trend = depth == 1 ? w->root[0].score : (3 * trend + w->root[0].score) / 4;
        if (w->id)
            continue;
        root_report(w, depth);
        if (enough(w, trend))
            pool_request_stop(w->pool);
        if (pool_should_stop(w->pool))
            break;
    }
    if (w->owes_mate) {
        w->last_line = true;
        root_report(w, w->root_depth);
    }
}
