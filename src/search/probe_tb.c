/* Tablebases inside the tree: right after a capture or pawn move, when few enough men are left. */
#include "search/search_int.h"

static bool is_covered(const Worker *w, const Node *n)
{
    const SearchOptions *o = pool_options(w->pool);
    if (!o->tb || n->ply == 0 || n->excluded || w->pos.st.rule50 || w->pos.st.castling)
        return false;
    int men = bb_count(pos_occupied(&w->pos)),
        limit = min_int(o->tb_probe_limit, tb_max_men(o->tb));
    return men <= limit && (men < limit || n->depth >= o->tb_probe_depth);
}

/* Wins that the fifty-move rule spoils, and losses it saves, are draws with a tiny preference. */
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

bool node_probe_tb(Worker *w, Node *n)
{
    if (!is_covered(w, n))
        return false;
    const SearchOptions *o = pool_options(w->pool);
    TbWdl wdl;
    if (!tb_probe_wdl(o->tb, &w->pos, &wdl))
        return false;
    atomic_store_explicit(&w->tb_hits, atomic_load_explicit(&w->tb_hits, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    ScoreBound bound;
    Score score = tb_score(o, wdl, n->ply, &bound);
    if (bound == BOUND_EXACT || (bound == BOUND_LOWER ? score >= n->beta : score <= n->alpha)) {
        n->raw_eval = SCORE_NONE;
        node_store(w, n, min_int(MAX_PLY - 1, n->depth + 6), score, bound, MOVE_NONE);
        n->score = score;
        return true;
    }
    if (n->pv && bound == BOUND_LOWER) {
        n->best = score;
        n->alpha = max_int(n->alpha, score);
    } else if (n->pv) {
        n->ceiling = score;
    }
    return false;
}
