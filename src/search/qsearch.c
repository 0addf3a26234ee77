/* Quiescence search: captures and promotions until the position is quiet; all evasions in check. */
#include "search/move_picker.h"

#include "chess/see.h"

/* Stand pat: the static evaluation is a lower bound, except in check. True when it fails high. */
static bool stand_pat(SearchWorker *w, SearchNode *n)
{
    node_static_eval(w, n);
    if (n->in_check)
        return false;
    n->best_score = n->eval;
    if (n->best_score >= n->beta) {
        if (!score_is_decisive(n->best_score))
            n->best_score = (n->best_score + n->beta) / 2;
        return true;
    }
    n->alpha = max_int(n->alpha, n->best_score);
    return false;
}

/* Futility pruning of captures (those that lose material by SEE are not even picked). In check,
 * quiet evasions are skipped once one move does not lose. */
static bool qsearch_prune_move(SearchWorker *w, SearchNode *n, MovePicker *p, const MoveContext *mc)
{
    if (score_is_loss(n->best_score))
        return false;
    if (n->in_check) {
        p->skip_quiets = !mc->noisy;
        return !mc->noisy;
    }
    if (mc->gives_check || move_is_promotion(mc->move))
        return false;
    Score futility_value = n->ss->static_eval + param(w, qs_futility) +
                           see_value[pos_captured_type(&w->pos, mc->move)];
    if (futility_value > n->alpha)
        return false;
    n->best_score = max_int(n->best_score, futility_value);
    return true;
}

static bool qsearch_next_move(SearchWorker *w, SearchNode *n, MovePicker *p, MoveContext *mc)
{
    mc->move = move_picker_next(p);
    if (!mc->move)
        return false;
    tt_prefetch(w->tt, pos_key_after(&w->pos, mc->move));
    mc->number = ++n->move_count;
    mc->piece = w->pos.board[move_from(mc->move)];
    mc->noisy = move_is_noisy(&w->pos, mc->move);
    mc->gives_check = pos_gives_check(&w->pos, mc->move);
    return true;
}

/* True when the move fails high. */
static bool qsearch_update(SearchNode *n, const MoveContext *mc)
{
    if (mc->score <= n->best_score)
        return false;
    n->best_score = mc->score;
    if (mc->score <= n->alpha)
        return false;
    n->best_move = mc->move;
    if (n->pv_node)
        node_set_pv(n, mc->move);
    n->alpha = mc->score;
    return mc->score >= n->beta;
}

static Score qsearch_finish(SearchWorker *w, SearchNode *n)
{
    if (n->in_check && !n->move_count)
        return score_mated_in(n->ply);
    if (n->best_score >= n->beta && !score_is_decisive(n->best_score))
        n->best_score = (n->best_score + n->beta) / 2;
    node_tt_store(w, n, TT_DEPTH_QSEARCH, n->best_score,
                  n->best_score >= n->beta ? BOUND_LOWER : BOUND_UPPER, n->best_move);
    return n->best_score;
}

Score qsearch(SearchWorker *w, SearchNode *n)
{
    node_enter(w, n);
    if (node_try_return(w, n))
        return n->score;
    node_tt_probe(w, n);
    if (tt_score_cuts(n, TT_DEPTH_QSEARCH))
        return n->tt.score;
    if (stand_pat(w, n))
        return n->best_score;

    if (n->in_check)
        node_find_threats(w, n);
    MovePicker picker;
    move_picker_init_qsearch(&picker, w, n);
    for (MoveContext mc; qsearch_next_move(w, n, &picker, &mc);) {
        if (qsearch_prune_move(w, n, &picker, &mc))
            continue;
        make_move(w, n, &mc);
        SearchNode child = {
            .ply = n->ply + 1, .alpha = -n->beta, .beta = -n->alpha, .pv_node = n->pv_node};
        mc.score = -qsearch(w, &child);
        unmake_move(w, &mc);
        if (w->stopped)
            return SCORE_DRAW;
        if (qsearch_update(n, &mc))
            break;
    }
    return qsearch_finish(w, n);
}
