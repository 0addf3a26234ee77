/* The lazy SMP vote: which thread's move is played, and the result that is reported with it. */
#include "search/search_int.h"

static Score lowest_score(const SearchPool *pool)
{
    Score lowest = SCORE_INFINITE;
    for (int i = 0; i < pool->count; i++)
        if (pool->workers[i]->completed_depth)
            lowest = min_int(lowest, pool->workers[i]->root[0].score);
    return lowest;
}

static int64_t votes_for(const SearchPool *pool, Move m, Score lowest)
{
    int64_t votes = 0;
    for (int i = 0; i < pool->count; i++) {
        const SearchWorker *w = pool->workers[i];
        if (w->completed_depth && w->root[0].move == m)
            votes += (int64_t)(w->root[0].score - lowest + 14) * w->completed_depth;
    }
    return votes;
}

/* Each thread votes for its move, weighted by depth and score. Decisive scores are compared
 * directly, so that a proven win is not outvoted. */
static SearchWorker *best_thread(SearchPool *pool)
{
    SearchWorker *best = pool->workers[0];
    if (pool->options.multi_pv > 1 || pool->limits.depth)
        return best;
    Score lowest = lowest_score(pool);
    int64_t best_votes = -1;
    for (int i = 0; i < pool->count; i++) {
        SearchWorker *w = pool->workers[i];
        if (!w->completed_depth)
            continue;
        int64_t votes = votes_for(pool, w->root[0].move, lowest);
        bool better = votes > best_votes ||
                      (votes == best_votes && w->completed_depth > best->completed_depth);
        if (score_is_decisive(best->root[0].score) && i)
            better = w->root[0].score > best->root[0].score;
        if (better) {
            best_votes = votes;
            best = w;
        }
    }
    return best;
}

/* The reply to the best move; from the transposition table when the PV has one move only. */
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

static Score score_of(const SearchPool *pool, const RootMove *r)
{
    Score score = r->score == -SCORE_INFINITE ? r->previous : r->score;
    if (score == -SCORE_INFINITE) /* stopped before any move was searched */
        score = SCORE_DRAW;
    return pool->root_in_tb && !score_is_mate(score) ? r->tb_score : score;
}

SearchResult best_thread_result(SearchPool *pool)
{
    SearchResult result = {
        .nodes = pool_nodes(pool), .tb_hits = pool_tb_hits(pool), .time_ms = pool_elapsed_ms(pool)};
    if (!pool->root_count) {
        result.score = pos_in_check(&pool->root) ? score_mated_in(0) : SCORE_DRAW;
        return result;
    }
    SearchWorker *w = best_thread(pool);
    const RootMove *r = &w->root[0];
    if (w->id)
        root_report(w, max_int(w->completed_depth, 1));
    result.best = r->move;
    result.ponder = ponder_move(pool, r);
    result.score = score_of(pool, r);
    result.depth = w->completed_depth;
    result.seldepth = r->seldepth;
    return result;
}
