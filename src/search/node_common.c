/* What full and quiescence nodes share: entering, ending early, the table, the static evaluation,
 * making moves. */
#include "search/search_int.h"

#include "chess/draw.h"
#include "chess/movegen.h"

/* A draw is worth a hair more or less by turns, so that the search does not take the first repetition for
 * the only one. */
Score draw_score(const Worker *w)
{
    return SCORE_DRAW + 1 - (int)(worker_nodes(w) & 2);
}

void node_enter(Worker *w, Node *n)
{
    n->at = w->stack + n->ply;
    n->at->pv_length = 0;
    n->in_check = n->at->in_check = pos_in_check(&w->pos);
    n->best = -SCORE_INFINITE;
    n->ceiling = SCORE_INFINITE;
    n->alpha_at_start = n->alpha;
    if (n->pv && n->ply + 1 > w->seldepth)
        w->seldepth = n->ply + 1;
}

bool node_is_drawn(Worker *w, Node *n)
{
    const Position *p = &w->pos;
    if (p->st.rule50 >= 100) /* mate on the last move of the fifty is mate */
        return !n->in_check || movegen_any(p);
    return draw_by_repetition(p, n->ply) || draw_by_material(p);
}

static bool settle(Node *n, Score score)
{
    n->score = score;
    return true;
}

/* No line can be better than mating now or worse than being mated now. */
static bool mate_distance_cuts(Node *n)
{
    n->alpha = max_int(n->alpha, score_mated_in(n->ply));
    n->beta = min_int(n->beta, score_mate_in(n->ply + 1));
    return n->alpha >= n->beta;
}

bool node_is_settled(Worker *w, Node *n)
{
    if (--w->check_countdown <= 0)
        pool_check_limits(w->pool, w);
    if (pool_should_stop(w->pool) && (w->id || worker_may_stop(w))) {
        w->stopped = true;
        return settle(n, SCORE_DRAW);
    }
    if (n->ply == 0)
        return false;
    if (node_is_drawn(w, n))
        return settle(n, draw_score(w));
    if (n->alpha < SCORE_DRAW && draw_upcoming(&w->pos, n->ply)) {
        n->alpha = draw_score(w);
        if (n->alpha >= n->beta)
            return settle(n, n->alpha);
    }
    if (n->ply >= MAX_PLY - 1)
        return settle(n, n->in_check ? draw_score(w) : eval_score(w->eval, &w->pos));
    return mate_distance_cuts(n) && settle(n, n->alpha);
}

/* A search that must leave nothing out may not believe those that did: its entries lie elsewhere. */
static Key table_key(const Worker *w)
{
    return w->proving ? ~w->pos.st.key : w->pos.st.key;
}

void node_look_up(Worker *w, Node *n)
{
    n->key = table_key(w);
    n->tt = tt_probe(w->tt, n->key, n->ply, w->pos.st.rule50);
    if (n->ply == 0 && w->root_count > w->pv_index && w->has_line)
        n->tt.move = w->root[w->pv_index].pv[0];
    else if (n->tt.move && !pos_is_legal(&w->pos, n->tt.move))
        n->tt.move = MOVE_NONE; /* another position with the same tag, or a torn entry */
    n->tt_noisy = n->tt.move && move_is_noisy(&w->pos, n->tt.move);
    n->was_pv = n->pv || (n->tt.hit && n->tt.was_pv);
}

bool node_table_cuts(const Node *n, int depth)
{
    if (n->pv || n->excluded || n->tt.score == SCORE_NONE || n->tt.depth < depth)
        return false;
    return n->tt.bound & (n->tt.score >= n->beta ? BOUND_LOWER : BOUND_UPPER);
}

void node_store(Worker *w, const Node *n, int depth, Score score, ScoreBound bound, Move m)
{
    tt_store(w->tt, n->tt.slot, n->key, n->ply, depth, score, n->raw_eval, bound, m, n->was_pv);
}

/* The evaluation, corrected by experience; where the table knows a bound that says more, n->eval takes it. */
void node_static_eval(Worker *w, Node *n)
{
    if (n->in_check) {
        n->raw_eval = n->eval = n->at->eval = SCORE_NONE;
        return;
    }
    n->raw_eval = n->tt.eval != SCORE_NONE ? n->tt.eval : eval_score(w->eval, &w->pos);
    n->eval = n->at->eval = correction_apply(w, n, n->raw_eval);
    if (!n->tt.hit)
        node_store(w, n, TT_DEPTH_EVAL, SCORE_NONE, BOUND_NONE, MOVE_NONE);
    else if (n->tt.score != SCORE_NONE && !score_is_decisive(n->tt.score) &&
             (n->tt.bound & (n->tt.score > n->eval ? BOUND_LOWER : BOUND_UPPER)))
        n->eval = n->tt.score;
}

void node_set_pv(Node *n, Move m)
{
    Ply *at = n->at, *child = n->at + 1;
    at->pv[0] = m;
    for (int i = 0; i < child->pv_length; i++)
        at->pv[i + 1] = child->pv[i];
    at->pv_length = child->pv_length + 1;
}

void step_make(Worker *w, Node *n, Step *s)
{
    Ply *at = n->at;
    tt_prefetch(w->tt, pos_key_after(&w->pos, s->move));
    at->move = s->move;
    at->reply = &w->history->reply[s->noisy][s->piece][move_to(s->move)];
    at->correct = &w->history->correct_reply[s->piece][move_to(s->move)];
    s->nodes_before = worker_nodes(w);
    atomic_store_explicit(&w->nodes, s->nodes_before + 1, memory_order_relaxed);
    eval_push(w->eval, &w->pos, s->move);
    pos_make(&w->pos, s->move, &s->undo);
}

void step_unmake(Worker *w, Node *n, Step *s)
{
    (void)n;
    pos_unmake(&w->pos, s->move, &s->undo);
    eval_pop(w->eval);
}
