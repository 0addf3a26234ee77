/* Quiescence: captures until the position is calm enough to be evaluated; every evasion in check. */
#include "search/picker.h"

#include "chess/see.h"

/* Not doing anything is a choice too, except in check. True when it is good enough. */
static bool stand_pat(Worker *w, Node *n)
{
    node_static_eval(w, n);
    if (n->in_check)
        return false;
    n->best = n->eval;
    if (n->best >= n->beta) {
        if (!score_is_decisive(n->best))
            n->best = (n->best + n->beta) / 2;
        return true;
    }
    n->alpha = max_int(n->alpha, n->best);
    return false;
}

/* A capture that cannot bring the score near alpha is left out (those that lose material are not even
 * picked); so are further quiet evasions once one move has survived. */
static bool quiesce_skips(Worker *w, Node *n, Picker *p, const Step *s)
{
    if (score_is_loss(n->best))
        return false;
    if (n->in_check) {
        p->skip_quiets = !s->noisy;
        return !s->noisy;
    }
    if (s->check || move_is_promotion(s->move))
        return false;
    Score reach =
        n->at->eval + param(w, qs_futility) + see_value[pos_captured_type(&w->pos, s->move)];
    if (reach > n->alpha)
        return false;
    n->best = max_int(n->best, reach);
    return true;
}

static bool quiesce_next(Worker *w, Node *n, Picker *p, Step *s)
{
    s->move = picker_next(p);
    if (!s->move)
        return false;
    s->number = ++n->count;
    s->piece = w->pos.board[move_from(s->move)];
    s->noisy = move_is_noisy(&w->pos, s->move);
    s->check = pos_gives_check(&w->pos, s->move);
    return true;
}

/* True when the move cuts. */
static bool quiesce_take(Node *n, const Step *s)
{
    if (s->score <= n->best)
        return false;
    n->best = s->score;
    if (s->score <= n->alpha)
        return false;
    n->best_move = s->move;
    if (n->pv)
        node_set_pv(n, s->move);
    n->alpha = s->score;
    return s->score >= n->beta;
}

static Score quiesce_finish(Worker *w, Node *n)
{
    if (n->in_check && !n->count)
        return score_mated_in(n->ply);
    if (n->best >= n->beta && !score_is_decisive(n->best))
        n->best = (n->best + n->beta) / 2;
    node_store(w, n, TT_DEPTH_QUIESCENCE, n->best, n->best >= n->beta ? BOUND_LOWER : BOUND_UPPER,
               n->best_move);
    return n->best;
}

Score quiesce_search(Worker *w, Node *n)
{
    node_enter(w, n);
    if (node_is_settled(w, n))
        return n->score;
    node_look_up(w, n);
    if (node_table_cuts(n, TT_DEPTH_QUIESCENCE))
        return n->tt.score;
    if (stand_pat(w, n))
        return n->best;

    Picker picker;
    picker_init_quiescence(&picker, w, n);
    for (Step s; quiesce_next(w, n, &picker, &s);) {
        if (quiesce_skips(w, n, &picker, &s))
            continue;
        step_make(w, n, &s);
        Node child = {.ply = n->ply + 1, .alpha = -n->beta, .beta = -n->alpha, .pv = n->pv};
        s.score = -quiesce_search(w, &child);
        step_unmake(w, n, &s);
        if (w->stopped)
            return SCORE_DRAW;
        if (quiesce_take(n, &s))
            break;
    }
    return quiesce_finish(w, n);
}
