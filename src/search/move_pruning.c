/* Pruning of single moves before they are made: late move pruning (LMP), history pruning, futility
 * pruning and SEE pruning. Not at the root, in mate searches, or while every move so far loses. */
#include "search/move_picker.h"

#include "chess/see.h"

/* Futility pruning of captures, then SEE pruning: capture history widens or narrows the margins. */
static bool prune_noisy(SearchWorker *w, SearchNode *n, const MoveContext *mc, int depth)
{
    const Position *p = &w->pos;
    if (!mc->gives_check && depth < 7 && !n->in_check) {
        Score futility_value = n->ss->static_eval + param(w, noisy_futility_base) +
                               param(w, noisy_futility_slope) * depth +
                               see_value[pos_captured_type(p, mc->move)] + mc->history / 40;
        if (futility_value <= n->alpha)
            return true;
    }
    int history_margin = clamp_int(mc->history / 40, -60 * n->depth, 60 * n->depth);
    return !see_at_least(p, mc->move,
                         -max_int(param(w, see_noisy_slope) * n->depth + history_margin, 0));
}

/* History pruning, futility pruning and SEE pruning of quiet moves. */
static bool prune_quiet(SearchWorker *w, SearchNode *n, const MoveContext *mc, int depth)
{
    if (depth <= param(w, history_prune_depth) &&
        mc->history < -param(w, history_prune_slope) * n->depth)
        return true;
    int lmr_depth = max_int(depth + mc->history / 12000, 0);
    if (!n->in_check && lmr_depth < param(w, futility_depth) && !mc->gives_check) {
        Score futility_value =
            n->ss->static_eval + param(w, futility_base) + param(w, futility_slope) * lmr_depth;
        if (futility_value <= n->alpha) {
            if (n->best_score < futility_value && !score_is_decisive(n->best_score))
                n->best_score = futility_value;
            return true;
        }
    }
    return !see_at_least(&w->pos, mc->move, -param(w, see_quiet_slope) * lmr_depth * lmr_depth);
}

/* `depth` is what is left after the reduction the move would get. LMP only stops the quiet moves
 * that follow. */
bool prune_move(SearchWorker *w, SearchNode *n, MovePicker *p, const MoveContext *mc)
{
    if (n->ply == 0 || w->mate_search || score_is_loss(n->best_score) ||
        !pos_has_pieces(&w->pos, w->pos.side))
        return false;
    if (!w->disable_lmp &&
        n->move_count >= (param(w, lmp_base) + n->depth * n->depth) / (2 - n->improving))
        p->skip_quiets = true;
    int depth =
        max_int(mc->new_depth - lmr_base_reduction(w, n->depth, mc->number, mc->noisy) / 1024, 0);
    return mc->noisy ? prune_noisy(w, n, mc, depth) : prune_quiet(w, n, mc, depth);
}
