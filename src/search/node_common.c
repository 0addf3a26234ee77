/* What search_node and qsearch share: early returns, TT probe and store, static evaluation, making
 * moves. */
#include "search/search_int.h"

#include "chess/draw.h"
#include "chess/movegen.h"

/* Draws score +1 or -1 by turns, so that the search does not prefer the first repetition it finds
 * (3-fold blindness). There is no contempt. */
static Score draw_score(const SearchWorker *w)
{
    return SCORE_DRAW + 1 - (int)(worker_nodes(w) & 2);
}

void node_enter(SearchWorker *w, SearchNode *n)
{
    n->ss = w->stack + n->ply;
    n->ss->pv_length = 0;
    n->in_check = n->ss->in_check = pos_in_check(&w->pos);
    n->best_score = -SCORE_INFINITE;
    n->max_score = SCORE_INFINITE;
    n->original_alpha = n->alpha;
    if (n->pv_node && n->ply + 1 > w->seldepth)
        w->seldepth = n->ply + 1;
}

/* The squares the opponent attacks, an index of the butterfly history. Not part of node_enter,
 * because most quiescence nodes and TT cutoffs do not need them. */
void node_find_threats(SearchWorker *w, SearchNode *n)
{
    Color them = color_other(w->pos.side);
    n->threats = 0;
    for (PieceType t = PAWN; t <= KING; t++)
        n->threats |= pos_attacks_by(&w->pos, them, t);
}

static bool node_is_draw(SearchWorker *w, SearchNode *n)
{
    const Position *p = &w->pos;
    if (p->st.rule50 >= 100) /* checkmate comes before the fifty-move rule */
        return !n->in_check || movegen_any(p);
    return draw_by_repetition(p, n->ply) || draw_by_material(p);
}

bool node_return(SearchNode *n, Score score)
{
    n->score = score;
    return true;
}

/* Mate distance pruning: no score is better than mate next ply or worse than mate now. */
static bool mate_distance_pruning(SearchNode *n)
{
    n->alpha = max_int(n->alpha, score_mated_in(n->ply));
    n->beta = min_int(n->beta, score_mate_in(n->ply + 1));
    return n->alpha >= n->beta;
}

bool node_try_return(SearchWorker *w, SearchNode *n)
{
    if (--w->check_countdown <= 0)
        pool_check_limits(w->pool, w);
    if (pool_should_stop(w->pool) && (w->id || worker_may_stop(w))) {
        w->stopped = true;
        return node_return(n, SCORE_DRAW);
    }
    if (n->ply == 0)
        return false;
    if (node_is_draw(w, n))
        return node_return(n, draw_score(w));
    if (n->alpha < SCORE_DRAW && draw_upcoming(&w->pos, n->ply)) {
        n->alpha = draw_score(w);
        if (n->alpha >= n->beta)
            return node_return(n, n->alpha);
    }
    if (n->ply >= MAX_PLY - 1)
        return node_return(n, n->in_check ? draw_score(w) : eval_score(w->eval, &w->pos));
    return mate_distance_pruning(n) && node_return(n, n->alpha);
}

/* A search that prunes less must not use the scores of those that prune more: it has its own keys.
 * */
static Key tt_key(const SearchWorker *w)
{
    return w->mate_search || w->disable_lmp ? ~w->pos.st.key : w->pos.st.key;
}

void node_tt_probe(SearchWorker *w, SearchNode *n)
{
    n->key = tt_key(w);
    n->tt = tt_probe(w->tt, n->key, n->ply, w->pos.st.rule50);
    if (n->ply == 0 && w->root_count > w->pv_index && w->has_line)
        n->tt.move = w->root[w->pv_index].pv[0];
    else if (n->tt.move && !pos_is_legal(&w->pos, n->tt.move))
        n->tt.move = MOVE_NONE; /* a key collision, or an entry torn between two threads */
    n->tt_move_noisy = n->tt.move && move_is_noisy(&w->pos, n->tt.move);
    n->tt_pv = n->pv_node || (n->tt.hit && n->tt.tt_pv);
}

bool tt_score_cuts(const SearchNode *n, int depth)
{
    if (n->pv_node || n->excluded || n->tt.score == SCORE_NONE || n->tt.depth < depth)
        return false;
    return n->tt.bound & (n->tt.score >= n->beta ? BOUND_LOWER : BOUND_UPPER);
}

void node_tt_store(SearchWorker *w, const SearchNode *n, int depth, Score score, ScoreBound bound,
                   Move m)
{
    tt_store(w->tt, n->tt.slot, n->key, n->ply, depth, score, n->raw_eval, bound, m, n->tt_pv);
}

/* The static evaluation with its correction; n->eval is the TT score where that is a tighter bound.
 * */
void node_static_eval(SearchWorker *w, SearchNode *n)
{
    if (n->in_check) {
        n->raw_eval = n->eval = n->ss->static_eval = SCORE_NONE;
        return;
    }
    n->raw_eval = n->tt.eval != SCORE_NONE ? n->tt.eval : eval_score(w->eval, &w->pos);
    n->eval = n->ss->static_eval = correction_history_apply(w, n, n->raw_eval);
    if (!n->tt.hit)
        node_tt_store(w, n, TT_DEPTH_EVAL, SCORE_NONE, BOUND_NONE, MOVE_NONE);
    else if (n->tt.score != SCORE_NONE && !score_is_decisive(n->tt.score) &&
             (n->tt.bound & (n->tt.score > n->eval ? BOUND_LOWER : BOUND_UPPER)))
        n->eval = n->tt.score;
}

void node_set_pv(SearchNode *n, Move m)
{
    SearchStack *ss = n->ss, *child = n->ss + 1;
    ss->pv[0] = m;
    for (int i = 0; i < child->pv_length; i++)
        ss->pv[i + 1] = child->pv[i];
    ss->pv_length = child->pv_length + 1;
}

void make_move(SearchWorker *w, SearchNode *n, MoveContext *mc)
{
    SearchStack *ss = n->ss;
    ss->move = mc->move;
    ss->continuation_history = &w->history->continuation[mc->noisy][mc->piece][move_to(mc->move)];
    ss->continuation_correction =
        &w->history->continuation_correction[mc->piece][move_to(mc->move)];
    mc->nodes_before = worker_nodes(w);
    atomic_store_explicit(&w->nodes, mc->nodes_before + 1, memory_order_relaxed);
    eval_push(w->eval, &w->pos, mc->move);
    pos_make(&w->pos, mc->move, &mc->undo);
}

void unmake_move(SearchWorker *w, MoveContext *mc)
{
    pos_unmake(&w->pos, mc->move, &mc->undo);
    eval_pop(w->eval);
}
