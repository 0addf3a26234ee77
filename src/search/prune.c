/* Verdicts that leave things out: whole nodes that are good or bad enough already, and single moves that are
 * not worth a search. None of them is sure; each says why it is a good bet. */
#include "search/picker.h"

#include "chess/see.h"

static bool settle(Node *n, Score score)
{
    n->score = score;
    return true;
}

/* Razoring: so far below alpha that only tactics could help; let quiescence look for them. */
static bool razor(Worker *w, Node *n)
{
    if (n->pv || n->depth > 4 ||
        n->eval >= n->alpha - param(w, razor_base) - param(w, razor_slope) * n->depth * n->depth)
        return false;
    Node q = {.ply = n->ply, .alpha = n->alpha, .beta = n->alpha + 1};
    Score score = quiesce_search(w, &q);
    return score <= n->alpha && settle(n, score);
}

/* Reverse futility: so far above beta that the opponent has no move to bring it back in few plies. */
static bool reverse_futility(Worker *w, Node *n)
{
    if (n->was_pv || n->depth > param(w, rfp_depth) || score_is_win(n->eval) ||
        score_is_loss(n->beta))
        return false;
    int margin = param(w, rfp_margin) * n->depth - param(w, rfp_improving) * n->improving;
    if (n->eval - margin < n->beta || (n->tt.move && !n->tt_noisy && n->depth > 6))
        return false;
    return settle(n, (2 * n->beta + n->eval) / 3);
}

static Score search_null(Worker *w, Node *n, int depth)
{
    Undo undo;
    n->at->move = MOVE_NULL;
    n->at->reply = &w->history->reply[0][PIECE_COUNT][0];
    n->at->correct = &w->history->correct_reply[PIECE_COUNT][0];
    eval_push(w->eval, &w->pos, MOVE_NULL);
    pos_make_null(&w->pos, &undo);
    tt_prefetch(w->tt, w->pos.st.key);
    Node child = {
        .ply = n->ply + 1, .depth = depth, .alpha = -n->beta, .beta = -n->beta + 1, .cut = !n->cut};
    Score score = -node_search(w, &child);
    pos_unmake_null(&w->pos, &undo);
    eval_pop(w->eval);
    return score;
}

/* Null move: when even passing keeps the score above beta, a real move will. Zugzwang is the exception,
 * hence the pieces, and at high depth a search without null moves that must agree. */
static bool null_move(Worker *w, Node *n)
{
    if (n->pv || (n->at - 1)->move == MOVE_NULL || n->eval < n->beta || n->excluded ||
        n->at->eval <
            n->beta - param(w, null_margin_slope) * n->depth + param(w, null_margin_base) ||
        !pos_has_pieces(&w->pos, w->pos.side) || n->ply < w->null_blocked_ply ||
        score_is_loss(n->beta))
        return false;
    int reduction = param(w, null_base) + n->depth / param(w, null_depth_div) +
                    min_int((n->eval - n->beta) / param(w, null_eval_div), 4);
    Score score = search_null(w, n, n->depth - reduction);
    if (w->stopped)
        return settle(n, SCORE_DRAW);
    if (score < n->beta || score_is_win(score)) /* an unproven win is no bound */
        return false;
    if (w->null_blocked_ply || n->depth < param(w, null_verify_depth))
        return settle(n, score);
    w->null_blocked_ply = n->ply + 3 * (n->depth - reduction) / 4;
    Node check = {
        .ply = n->ply, .depth = n->depth - reduction, .alpha = n->beta - 1, .beta = n->beta};
    Score verified = node_search(w, &check);
    w->null_blocked_ply = 0;
    return verified >= n->beta && settle(n, score);
}

/* ProbCut: a good capture that holds a raised beta at much less depth will hold beta. */
static bool probcut(Worker *w, Node *n)
{
    Score raised = n->beta + param(w, probcut_margin) - 50 * n->improving;
    if (n->pv || n->depth < 5 || score_is_decisive(n->beta) || n->excluded ||
        (n->tt.score != SCORE_NONE && n->tt.depth >= n->depth - 3 && n->tt.score < raised))
        return false;
    Picker picker;
    picker_init_probcut(&picker, w, n, raised - n->at->eval);
    for (Step s; (s.move = picker_next(&picker));) {
        s.piece = w->pos.board[move_from(s.move)];
        s.noisy = true;
        step_make(w, n, &s);
        Node child = {.ply = n->ply + 1, .alpha = -raised, .beta = -raised + 1, .cut = !n->cut};
        s.score = -quiesce_search(w, &child);
        if (s.score >= raised && n->depth > 5 && !w->stopped) {
            child = (Node){.ply = n->ply + 1,
                           .depth = n->depth - 5,
                           .alpha = -raised,
                           .beta = -raised + 1,
                           .cut = !n->cut};
            s.score = -node_search(w, &child);
        }
        step_unmake(w, n, &s);
        if (w->stopped)
            return settle(n, SCORE_DRAW);
        if (s.score >= raised) {
            node_store(w, n, n->depth - 4, s.score, BOUND_LOWER, s.move);
            return settle(n, score_is_decisive(s.score) ? s.score : s.score - (raised - n->beta));
        }
    }
    return false;
}

/* Internal iterative reduction: without a table move the order will be poor; do not pay full price. */
static void reduce_unknown(Worker *w, Node *n)
{
    if (n->depth >= param(w, iir_depth) && !n->tt.move && !n->excluded && (n->pv || n->cut))
        n->depth--;
}

/* A parent that was reduced a lot, and a position that turned out not so bad for us (or worse for them):
 * adjust the depth with hindsight. */
static void adjust_with_hindsight(Node *n)
{
    const Ply *parent = n->at - 1;
    if (n->ply == 0 || n->in_check || parent->eval == SCORE_NONE || n->excluded)
        return;
    if (parent->reduction >= 3072 && n->at->eval + parent->eval < 0)
        n->depth++;
    else if (parent->reduction >= 1024 && n->depth >= 2 && n->at->eval + parent->eval > 150)
        n->depth--;
}

static Bitboard attacked_squares(const Position *p, Color by)
{
    Bitboard all = 0;
    for (PieceType t = PAWN; t <= KING; t++)
        all |= pos_attacks_by(p, by, t);
    return all;
}

bool node_prune(Worker *w, Node *n)
{
    n->threats = attacked_squares(&w->pos, color_other(w->pos.side));
    if (w->proving)
        return false;
    if (!n->in_check && !n->excluded) {
        adjust_with_hindsight(n);
        if (razor(w, n) || reverse_futility(w, n) || null_move(w, n))
            return true;
    }
    reduce_unknown(w, n);
    return !n->in_check && probcut(w, n);
}

/* -- Single moves -- */

static bool prune_noisy(Worker *w, Node *n, const Step *s, int depth)
{
    const Position *p = &w->pos;
    if (!s->check && depth < 7 && !n->in_check) {
        Score reach = n->at->eval + param(w, noisy_futility_base) +
                      param(w, noisy_futility_slope) * depth +
                      see_value[pos_captured_type(p, s->move)] + s->history / 40;
        if (reach <= n->alpha)
            return true;
    }
    int trust = clamp_int(s->history / 40, -60 * n->depth, 60 * n->depth);
    return !see_at_least(p, s->move, -max_int(param(w, see_noisy_slope) * n->depth + trust, 0));
}

static bool prune_quiet(Worker *w, Node *n, const Step *s, int depth)
{
    if (depth <= param(w, history_prune_depth) &&
        s->history < -param(w, history_prune_slope) * n->depth)
        return true; /* it has failed too often */
    int sharpened = max_int(depth + s->history / 12000, 0);
    if (!n->in_check && sharpened < param(w, futility_depth) && !s->check) {
        Score reach = n->at->eval + param(w, futility_base) + param(w, futility_slope) * sharpened;
        if (reach <= n->alpha) {
            if (n->best < reach && !score_is_decisive(n->best))
                n->best = reach;
            return true;
        }
    }
    return !see_at_least(&w->pos, s->move, -param(w, see_quiet_slope) * sharpened * sharpened);
}

bool step_prune(Worker *w, Node *n, Picker *p, const Step *s)
{
    if (n->ply == 0 || w->proving || score_is_loss(n->best) ||
        !pos_has_pieces(&w->pos, w->pos.side))
        return false;
    if (!w->late_moves &&
        n->count >= (param(w, lmp_base) + n->depth * n->depth) / (2 - n->improving))
        p->skip_quiets = true;
    int depth = max_int(s->new_depth - reduction_base(w, n->depth, s->number, s->noisy) / 1024, 0);
    return s->noisy ? prune_noisy(w, n, s, depth) : prune_quiet(w, n, s, depth);
}
