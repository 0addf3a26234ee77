/* Singular extensions: the TT move is searched deeper when no other move comes near its score. When
 * another move also beats beta the node returns (multicut), and when the TT move is not singular it
 * may get a negative extension. */
#include "search/search_int.h"

static bool singular_is_tried(const SearchWorker *w, const SearchNode *n, const MoveContext *mc)
{
    return n->ply > 0 && !w->mate_search && mc->move == n->tt.move && !n->excluded &&
           n->depth >= param(w, singular_depth) + n->tt_pv && n->tt.score != SCORE_NONE &&
           !score_is_decisive(n->tt.score) && (n->tt.bound & BOUND_LOWER) &&
           n->tt.depth >= n->depth - 3 && n->ply < 2 * w->root_depth;
}

/* True when the node returns n->score at once. */
bool singular_extension(SearchWorker *w, SearchNode *n, MoveContext *mc)
{
    if (!singular_is_tried(w, n, mc))
        return false;
    Score singular_beta =
        n->tt.score - param(w, singular_margin) * n->depth * (1 + (n->tt_pv && !n->pv_node)) / 64;
    SearchNode singular = {.ply = n->ply,
                           .depth = (n->depth - 1) / 2,
                           .alpha = singular_beta - 1,
                           .beta = singular_beta,
                           .cut_node = n->cut_node,
                           .excluded = mc->move};
    Score score = search_node(w, &singular);
    n->ss->move_count = mc->number; /* the singular search used the same stack entry */
    n->ss->tt_pv = n->tt_pv;
    if (w->stopped)
        return node_return(n, SCORE_DRAW);
    if (score < singular_beta) {
        mc->new_depth++;
        if (!n->pv_node && score < singular_beta - param(w, double_margin)) {
            mc->new_depth++; /* double extension; triple for quiet moves */
            mc->new_depth += !mc->noisy && score < singular_beta - param(w, triple_margin);
        }
        return false;
    }
    if (score >= n->beta && !score_is_decisive(score)) /* multicut */
        return node_return(n, score);
    if (n->tt.score >= n->beta)
        mc->new_depth -= 3;
    else if (n->cut_node)
        mc->new_depth -= 2;
    return false;
}
