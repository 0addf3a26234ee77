/* Tablebase probes in the tree: after a capture or pawn move, when few enough pieces are left. */
#include "search/search_int.h"

static bool tb_is_probed(const SearchWorker *w, const SearchNode *n)
{
    const SearchOptions *o = &w->pool->options;
    if (!o->tb || n->ply == 0 || n->excluded || w->pos.st.rule50 || w->pos.st.castling)
        return false;
    int pieces = bb_count(pos_occupied(&w->pos)),
        limit = min_int(o->tb_probe_limit, tb_max_pieces(o->tb));
    return pieces <= limit && (pieces < limit || n->depth >= o->tb_probe_depth);
}

/* Cursed wins and blessed losses are draws that differ from 0 by a few centipawns at most. */
static Score tb_score(const SearchOptions *o, TbWdl wdl, int ply, ScoreBound *bound)
{
    int draw_edge = o->tb_rule50 ? 1 : 0;
    *bound = wdl > draw_edge ? BOUND_LOWER : wdl < -draw_edge ? BOUND_UPPER : BOUND_EXACT;
    if (*bound == BOUND_LOWER)
        return SCORE_TB_WIN - ply;
    if (*bound == BOUND_UPPER)
        return -SCORE_TB_WIN + ply;
    return SCORE_DRAW + 2 * wdl * draw_edge;
}

bool tb_cutoff(SearchWorker *w, SearchNode *n)
{
    if (!tb_is_probed(w, n))
        return false;
    const SearchOptions *o = &w->pool->options;
    TbWdl wdl;
    if (!tb_probe_wdl(o->tb, &w->pos, &wdl))
        return false;
    atomic_store_explicit(&w->tb_hits, atomic_load_explicit(&w->tb_hits, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    ScoreBound bound;
    Score score = tb_score(o, wdl, n->ply, &bound);
    if (bound == BOUND_EXACT || (bound == BOUND_LOWER ? score >= n->beta : score <= n->alpha)) {
        n->raw_eval = SCORE_NONE;
        node_tt_store(w, n, min_int(MAX_PLY - 1, n->depth + 6), score, bound, MOVE_NONE);
        return node_return(n, score);
    }
    if (n->pv_node && bound == BOUND_LOWER) {
        n->best_score = score;
        n->alpha = max_int(n->alpha, score);
    } else if (n->pv_node) {
        n->max_score = score;
    }
    return false;
}
