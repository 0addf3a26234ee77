/* Singular extension: when the table move alone holds the score, it is searched deeper; when another move
 * holds beta as well, the node is cut at once (multicut). */
#include "search/search_int.h"

static bool may_be_singular(const Worker *w, const Node *n, const Step *s)
{
    return n->ply > 0 && !w->proving && s->move == n->tt.move && !n->excluded &&
           n->depth >= param(w, singular_depth) + n->was_pv && n->tt.score != SCORE_NONE &&
           !score_is_decisive(n->tt.score) && (n->tt.bound & BOUND_LOWER) &&
           n->tt.depth >= n->depth - 3 && n->ply < 2 * w->root_depth;
}

bool step_extend(Worker *w, Node *n, Step *s)
{
    if (!may_be_singular(w, n, s))
        return false;
    Score bar =
        n->tt.score - param(w, singular_margin) * n->depth * (1 + (n->was_pv && !n->pv)) / 64;
    Node without = {.ply = n->ply,
                    .depth = (n->depth - 1) / 2,
                    .alpha = bar - 1,
                    .beta = bar,
                    .cut = n->cut,
                    .excluded = s->move};
    Score score = node_search(w, &without);
    n->at->number = s->number; /* the inner visit has used the same ply */
    n->at->was_pv = n->was_pv;
    if (w->stopped) {
        n->score = SCORE_DRAW;
        return true;
    }
    if (score < bar) {
        s->new_depth++;
        if (!n->pv && score < bar - param(w, double_margin)) {
            s->new_depth++;
            s->new_depth += !s->noisy && score < bar - param(w, triple_margin);
        }
        return false;
    }
    if (score >= n->beta && !score_is_decisive(score)) {
        n->score = score; /* multicut: two moves hold */
        return true;
    }
    if (n->tt.score >= n->beta)
        s->new_depth -= 3;
    else if (n->cut)
        s->new_depth -= 2;
    return false;
}
