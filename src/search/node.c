/* The main search: principal variation search (PVS) with one file per idea. node_common.c has what
 * qsearch shares (early returns, TT, static evaluation); tb_cutoff.c, pruning.c (whole nodes),
 * move_picker.c, move_pruning.c, extensions.c, lmr.c, history.c and correction_history.c follow in
 * the order in which search_node calls them. */
#include "search/move_picker.h"

#include "chess/movegen.h"

/* A TT score that is deep enough returns; a quiet TT move that fails high gets a history bonus. */
static bool tt_cutoff(SearchWorker *w, SearchNode *n)
{
    node_tt_probe(w, n);
    if (n->excluded)
        n->tt.move = MOVE_NONE;
    /* TT scores do not know the fifty-move counter: near the draw they are not trusted. */
    if (!tt_score_cuts(n, n->depth) || w->pos.st.rule50 >= 90)
        return false;
    history_update_tt_cutoff(w, n);
    return node_return(n, n->tt.score);
}

static void node_evaluate(SearchWorker *w, SearchNode *n)
{
    if (n->excluded) /* evaluated by the node that started the singular search */
        n->raw_eval = n->eval = n->ss->static_eval;
    else
        node_static_eval(w, n);
    const SearchStack *ss = n->ss;
    Score earlier = (ss - 2)->static_eval;
    if (earlier == SCORE_NONE)
        earlier = (ss - 4)->static_eval;
    n->improving = !n->in_check && (earlier == SCORE_NONE || ss->static_eval > earlier);
    n->ss->tt_pv = n->tt_pv;
    (n->ss + 2)->killer = MOVE_NONE;
    (n->ss + 1)->cutoff_count = 0;
}

static bool move_is_searched(SearchWorker *w, const SearchNode *n, Move m)
{
    if (m == n->excluded)
        return false;
    if (n->ply > 0)
        return true;
    /* Not outside searchmoves, already a PV of MultiPV, or ranked lower by the tablebases. */
    RootMove *r = root_move_find(w, m);
    return r && r - w->root >= w->pv_index && r->tb_rank == w->root[w->pv_index].tb_rank;
}

static bool next_move(SearchWorker *w, SearchNode *n, MovePicker *p, MoveContext *mc)
{
    Move m;
    do {
        m = move_picker_next(p);
        if (!m)
            return false;
    } while (!move_is_searched(w, n, m));
    /* Long before the child probes it: memory is slower than what lies between. */
    tt_prefetch(w->tt, pos_key_after(&w->pos, m));
    mc->move = m;
    mc->number = n->ss->move_count = ++n->move_count;
    if (n->ply == 0)
        root_report_move(w, m, mc->number);
    mc->piece = w->pos.board[move_from(m)];
    mc->noisy = move_is_noisy(&w->pos, m);
    mc->gives_check = pos_gives_check(&w->pos, m);
    mc->history = mc->noisy ? *capture_history(w->history, &w->pos, m) : quiet_history(w, n, m);
    mc->new_depth = n->depth - 1;
    return true;
}

static Score search_child(SearchWorker *w, const SearchNode *n, Score alpha, Score beta, int depth,
                          bool pv_node, bool cut_node)
{
    SearchNode child = {.ply = n->ply + 1,
                        .depth = depth,
                        .alpha = -beta,
                        .beta = -alpha,
                        .pv_node = pv_node,
                        .cut_node = cut_node};
    return -search_node(w, &child);
}

/* Late move reductions (LMR): a null-window search at reduced depth; a move that raises alpha is
 * searched again at full depth, or one ply more or less depending on how far it does. */
static Score lmr_search(SearchWorker *w, const SearchNode *n, MoveContext *mc)
{
    int reduction = lmr_reduction(w, n, mc);
    int depth = clamp_int(mc->new_depth - reduction / 1024, 1, mc->new_depth + n->pv_node);
    n->ss->reduction = reduction;
    Score score = search_child(w, n, n->alpha, n->alpha + 1, depth, false, true);
    n->ss->reduction = 0;
    if (score <= n->alpha || depth >= mc->new_depth || w->stopped)
        return score;
    mc->new_depth += score > n->best_score + param(w, deeper_margin) + 2 * mc->new_depth;
    mc->new_depth -= score < n->best_score + param(w, shallower_margin);
    if (depth < mc->new_depth)
        score = search_child(w, n, n->alpha, n->alpha + 1, mc->new_depth, false, !n->cut_node);
    if (!mc->noisy)
        continuation_history_update(n->ss, mc->piece, move_to(mc->move),
                                    score >= n->beta    ? 700
                                    : score <= n->alpha ? -500
                                                        : 0);
    return score;
}

/* PVS: the first move of a PV node gets the full window, the others a null window first. */
static void search_move(SearchWorker *w, SearchNode *n, MoveContext *mc)
{
    if (n->depth >= 2 && mc->number > 1 + (n->ply == 0) && !w->mate_search)
        mc->score = lmr_search(w, n, mc);
    else if (!n->pv_node || mc->number > 1)
        mc->score = search_child(w, n, n->alpha, n->alpha + 1, mc->new_depth, false, !n->cut_node);
    if (n->pv_node && !w->stopped && (mc->number == 1 || mc->score > n->alpha))
        mc->score = search_child(w, n, n->alpha, n->beta, mc->new_depth, true, false);
}

static void tried_moves_add(TriedMoves *t, Move m)
{
    if (t->count < TRIED_MOVES_MAX)
        t->moves[t->count++] = m;
}

/* Takes over the score of a move; true when it fails high. */
static bool node_update(SearchWorker *w, SearchNode *n, const MoveContext *mc)
{
    if (n->ply == 0)
        root_move_update(w, n, mc);
    if (mc->score > n->best_score) {
        n->best_score = mc->score;
        if (mc->score > n->alpha) {
            n->best_move = mc->move;
            if (n->pv_node && n->ply > 0)
                node_set_pv(n, mc->move);
            if (mc->score >= n->beta) {
                n->ss->cutoff_count++;
                return true;
            }
            n->alpha = mc->score;
            /* Alpha was raised: the remaining moves are less likely to matter. */
            if (n->depth > 3 && n->depth < 14 && !score_is_decisive(mc->score) && !w->mate_search)
                n->depth--;
        }
    }
    if (mc->move != n->best_move)
        tried_moves_add(mc->noisy ? &n->noisies : &n->quiets, mc->move);
    return false;
}

static Score node_finish(SearchWorker *w, SearchNode *n)
{
    if (!n->move_count)
        return n->excluded ? n->alpha : n->in_check ? score_mated_in(n->ply) : SCORE_DRAW;
    if (n->best_move && n->best_score >= n->beta)
        history_update(w, n);
    /* Fail-high blending: at low depth a score far above beta is drawn towards beta. */
    if (n->best_score >= n->beta && !n->pv_node && !score_is_decisive(n->best_score) &&
        !score_is_decisive(n->beta))
        n->best_score = (n->best_score * n->depth + n->beta) / (n->depth + 1);
    n->best_score = min_int(n->best_score, n->max_score);
    ScoreBound bound = n->best_score >= n->beta     ? BOUND_LOWER
                       : n->pv_node && n->best_move ? BOUND_EXACT
                                                    : BOUND_UPPER;
    if (!n->excluded && !(n->ply == 0 && w->pv_index))
        node_tt_store(w, n, n->depth, n->best_score, bound, n->best_move);
    correction_history_update(w, n);
    return n->best_score;
}

Score search_node(SearchWorker *w, SearchNode *n)
{
    if (n->depth <= 0)
        return qsearch(w, n);
    node_enter(w, n);
    if (node_try_return(w, n))
        return n->score;
    if (tt_cutoff(w, n) || tb_cutoff(w, n))
        return n->score;
    node_find_threats(w, n);
    node_evaluate(w, n);
    if (prune_node(w, n))
        return n->score;

    MovePicker picker;
    move_picker_init(&picker, w, n);
    for (MoveContext mc; next_move(w, n, &picker, &mc);) {
        if (prune_move(w, n, &picker, &mc))
            continue;
        if (singular_extension(w, n, &mc))
            return n->score;
        make_move(w, n, &mc);
        search_move(w, n, &mc);
        unmake_move(w, &mc);
        if (w->stopped)
            return SCORE_DRAW;
        if (node_update(w, n, &mc))
            break;
    }
    return node_finish(w, n);
}
