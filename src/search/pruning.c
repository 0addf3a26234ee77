/* Pruning of whole nodes before any move is searched: razoring, reverse futility pruning, null move
 * pruning, ProbCut; and two changes of depth, hindsight and internal iterative reduction. */
#include "search/move_picker.h"

#include "chess/see.h"

/* Razoring: far below alpha only captures can help, so qsearch decides. */
static bool razoring(SearchWorker *w, SearchNode *n)
{
    if (n->pv_node || n->depth > 4 ||
        n->eval >= n->alpha - param(w, razor_base) - param(w, razor_slope) * n->depth * n->depth)
        return false;
    SearchNode q = {.ply = n->ply, .alpha = n->alpha, .beta = n->alpha + 1};
    Score score = qsearch(w, &q);
    return score <= n->alpha && node_return(n, score);
}

/* Reverse futility pruning (static null move): far above beta at low depth. */
static bool reverse_futility_pruning(SearchWorker *w, SearchNode *n)
{
    if (n->tt_pv || n->depth > param(w, rfp_depth) || score_is_win(n->eval) ||
        score_is_loss(n->beta))
        return false;
    int margin = param(w, rfp_margin) * n->depth - param(w, rfp_improving) * n->improving;
    if (n->eval - margin < n->beta || (n->tt.move && !n->tt_move_noisy && n->depth > 6))
        return false;
    return node_return(n, (2 * n->beta + n->eval) / 3);
}

static Score search_null_move(SearchWorker *w, SearchNode *n, int depth)
{
    Undo undo;
    n->ss->move = MOVE_NULL;
    n->ss->continuation_history = &w->history->continuation[0][PIECE_COUNT][0];
    n->ss->continuation_correction = &w->history->continuation_correction[PIECE_COUNT][0];
    eval_push(w->eval, &w->pos, MOVE_NULL);
    pos_make_null(&w->pos, &undo);
    tt_prefetch(w->tt, w->pos.st.key);
    SearchNode child = {.ply = n->ply + 1,
                        .depth = depth,
                        .alpha = -n->beta,
                        .beta = -n->beta + 1,
                        .cut_node = !n->cut_node};
    Score score = -search_node(w, &child);
    pos_unmake_null(&w->pos, &undo);
    eval_pop(w->eval);
    return score;
}

/* Null move pruning: if passing still fails high, a real move will. Zugzwang is the exception: the
 * side to move needs a piece, and at high depth a search without null moves verifies the cutoff. */
static bool null_move_pruning(SearchWorker *w, SearchNode *n)
{
    if (n->pv_node || (n->ss - 1)->move == MOVE_NULL || n->eval < n->beta || n->excluded ||
        n->ss->static_eval <
            n->beta - param(w, null_margin_slope) * n->depth + param(w, null_margin_base) ||
        !pos_has_pieces(&w->pos, w->pos.side) || n->ply < w->null_blocked_ply ||
        score_is_loss(n->beta))
        return false;
    int reduction = param(w, null_base) + n->depth / param(w, null_depth_div) +
                    min_int((n->eval - n->beta) / param(w, null_eval_div), 4);
    Score score = search_null_move(w, n, n->depth - reduction);
    if (w->stopped)
        return node_return(n, SCORE_DRAW);
    if (score < n->beta || score_is_win(score)) /* a win after a null move proves nothing */
        return false;
    if (w->null_blocked_ply || n->depth < param(w, null_verify_depth))
        return node_return(n, score);
    w->null_blocked_ply = n->ply + 3 * (n->depth - reduction) / 4;
    SearchNode verification = {
        .ply = n->ply, .depth = n->depth - reduction, .alpha = n->beta - 1, .beta = n->beta};
    Score verified = search_node(w, &verification);
    w->null_blocked_ply = 0;
    return verified >= n->beta && node_return(n, score);
}

/* ProbCut: a capture that beats beta by a margin at reduced depth will beat beta at full depth. */
static bool probcut(SearchWorker *w, SearchNode *n)
{
    Score probcut_beta = n->beta + param(w, probcut_margin) - 50 * n->improving;
    if (n->pv_node || n->depth < 5 || score_is_decisive(n->beta) || n->excluded ||
        (n->tt.score != SCORE_NONE && n->tt.depth >= n->depth - 3 && n->tt.score < probcut_beta))
        return false;
    MovePicker picker;
    move_picker_init_probcut(&picker, w, n, probcut_beta - n->ss->static_eval);
    for (MoveContext mc; (mc.move = move_picker_next(&picker));) {
        tt_prefetch(w->tt, pos_key_after(&w->pos, mc.move));
        mc.piece = w->pos.board[move_from(mc.move)];
        mc.noisy = true;
        make_move(w, n, &mc);
        SearchNode child = {.ply = n->ply + 1,
                            .alpha = -probcut_beta,
                            .beta = -probcut_beta + 1,
                            .cut_node = !n->cut_node};
        mc.score = -qsearch(w, &child);
        if (mc.score >= probcut_beta && n->depth > 5 && !w->stopped) {
            child = (SearchNode){.ply = n->ply + 1,
                                 .depth = n->depth - 5,
                                 .alpha = -probcut_beta,
                                 .beta = -probcut_beta + 1,
                                 .cut_node = !n->cut_node};
            mc.score = -search_node(w, &child);
        }
        unmake_move(w, &mc);
        if (w->stopped)
            return node_return(n, SCORE_DRAW);
        if (mc.score >= probcut_beta) {
            node_tt_store(w, n, n->depth - 4, mc.score, BOUND_LOWER, mc.move);
            return node_return(
                n, score_is_decisive(mc.score) ? mc.score : mc.score - (probcut_beta - n->beta));
        }
    }
    return false;
}

/* Internal iterative reduction (IIR): without a TT move the move ordering is poor. */
static void internal_iterative_reduction(SearchWorker *w, SearchNode *n)
{
    if (n->depth >= param(w, iir_depth) && !n->tt.move && !n->excluded &&
        (n->pv_node || n->cut_node))
        n->depth--;
}

/* Hindsight: the static evaluations before and after a reduced move say whether the reduction was
 * too large (our position got worse than it looked) or too small. */
static void hindsight_depth_adjustment(SearchNode *n)
{
    const SearchStack *parent = n->ss - 1;
    if (n->ply == 0 || n->in_check || parent->static_eval == SCORE_NONE || n->excluded)
        return;
    if (parent->reduction >= 3072 && n->ss->static_eval + parent->static_eval < 0)
        n->depth++;
    else if (parent->reduction >= 1024 && n->depth >= 2 &&
             n->ss->static_eval + parent->static_eval > 150)
        n->depth--;
}

bool prune_node(SearchWorker *w, SearchNode *n)
{
    if (w->mate_search)
        return false;
    if (!n->in_check && !n->excluded) {
        hindsight_depth_adjustment(n);
        if (razoring(w, n) || reverse_futility_pruning(w, n) || null_move_pruning(w, n))
            return true;
    }
    internal_iterative_reduction(w, n);
    return !n->in_check && probcut(w, n);
}
