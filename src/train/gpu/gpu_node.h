/* The search on the card: principal variation search by one warp, with the techniques of search/
 * that pay at a thousand nodes, and their margins (search/params.def). Like all searches for labels
 * it prunes no move for coming late in the order.
 *
 * It is a loop over actions. A node is entered, its moves are generated and searched one after the
 * other; what is left to do when a child returns is the node's stage. */
#ifndef TRAIN_GPU_NODE_H
#define TRAIN_GPU_NODE_H

#include "train/gpu/gpu_search.h"

#include <math.h>

enum { G_LAST_DEPTH = 24 };

typedef enum GAction { G_ENTER, G_GENERATE, G_NEXT, G_DOWN, G_FINISH, G_RETURN } GAction;

/* The search of a child that is under way: after a null move, with reduced depth, with a null
 * window, with the full window, or in quiescence. */
enum { G_STAGE_NULL, G_STAGE_LMR, G_STAGE_ZERO, G_STAGE_FULL, G_STAGE_QUIESCE };

enum {
    G_PV_NODE = 1,
    G_CUT_NODE = 2,
    G_IMPROVING = 4,
    G_TT_NOISY = 8,
    G_MOVE_NOISY = 16,
    G_MOVE_CHECKS = 32,
    G_MOVE_HANGS = 64, /* to where a pawn attacks it */
    G_NODE_FLAGS = 15
};

/* -- Entering a node -- */

/* The accumulator and the static evaluation of a position; none in check. */
DEVICE int g_static_eval(GSearch *w, GPosition *p, int ply)
{
    int total = g_accumulate(w->net, p, ply, w->memory->accumulators);
    int eval = p->in_check ? G_NO_SCORE : g_evaluate(w->net, p, total);
    if (warp_lane() == 0)
        p->eval = (int16_t)eval;
    warp_sync();
    return eval;
}

DEVICE int g_better_eval(const GEntry *e, int eval)
{
    bool tighter = eval != G_NO_SCORE && e->score != G_NO_SCORE && g_abs(e->score) < G_DECISIVE &&
                   (e->bound & (e->score > eval ? G_BOUND_LOWER : G_BOUND_UPPER));
    return tighter ? e->score : eval;
}

/* Quiescence: the evaluation is a lower bound, except in check. */
DEVICE GAction g_stand_pat(const GPosition *p, int ply, GFrame *f, int *value)
{
    f->depth = 0;
    f->best = (int16_t)(p->in_check ? ply - G_MATE : f->eval);
    if (p->in_check || f->best < f->beta) {
        f->alpha = (int16_t)g_max(f->alpha, f->best);
        return G_GENERATE;
    }
    *value = g_abs(f->best) < G_DECISIVE ? (f->best + f->beta) / 2 : f->best;
    return G_RETURN;
}

/* Razoring: far below alpha only captures can help. */
DEVICE bool g_razors(const GPosition *p, const GFrame *f)
{
    return !(f->flags & G_PV_NODE) && !p->in_check && f->depth <= 4 &&
           f->eval < f->alpha - 311 - 184 * f->depth * f->depth;
}

/* Reverse futility pruning, null move pruning. */
DEVICE GAction g_prune_node(GSearch *w, GPosition *p, GFrame *f, int *value)
{
    int depth = f->depth, eval = f->eval, beta = f->beta;
    if ((f->flags & G_PV_NODE) || p->in_check || g_abs(beta) >= G_DECISIVE)
        return G_GENERATE;
    int margin = 67 * depth - ((f->flags & G_IMPROVING) ? 65 : 0);
    if (depth <= 9 && eval - margin >= beta && eval < G_DECISIVE &&
        (!f->tt_move || (f->flags & G_TT_NOISY) || depth <= 6)) {
        *value = (2 * beta + eval) / 3;
        return G_RETURN;
    }
    if (p->move == G_NULL_MOVE || eval < beta || p->eval < beta - 19 * depth + 60 ||
        !g_has_pieces(p, p->side))
        return G_GENERATE;
    f->stage = G_STAGE_NULL;
    f->reduced = (int8_t)(depth - 4 - depth / 4 - g_min((eval - beta) / 203, 4));
    g_place(w->random_keys, p, G_NULL_MOVE);
    return G_DOWN;
}

DEVICE bool g_improving(const GPosition *p, int ply)
{
    int earlier = ply < 2 ? G_NO_SCORE : p[-2].eval;
    return !p->in_check && (earlier == G_NO_SCORE || p->eval > earlier);
}

/* For repetitions; the killer of the nodes two plies on belongs to others. */
DEVICE void g_keep_key(GSearch *w, const GPosition *p, int ply)
{
    if (warp_lane() == 0) {
        if (w->game_ply + ply < G_KEYS_KEPT)
            w->memory->keys[w->game_ply + ply] = p->key;
        w->shared->stack[ply < G_PLIES - 1 ? ply + 2 : G_PLIES].killer = 0;
    }
    warp_sync();
}

DEVICE GAction g_enter(GSearch *w, GPosition *p, int ply, GFrame *f, int *value)
{
    *value = 0;
    w->stopped = w->stopped || ++w->nodes >= w->hard_nodes;
    if (w->stopped)
        return G_RETURN;
    g_keep_key(w, p, ply);
    if (ply && g_is_draw(w, p, ply))
        return G_RETURN;
    GEntry tt = g_tt_probe(w, p->key, ply);
    if (!(f->flags & G_PV_NODE) && g_tt_cuts(&tt, f->beta, g_max(f->depth, 0)) && p->rule50 < 90) {
        *value = tt.score;
        return G_RETURN;
    }
    int eval = g_static_eval(w, p, ply);
    if (ply == G_PLIES - 1) {
        *value = p->in_check ? 0 : eval;
        return G_RETURN;
    }
    f->eval = (int16_t)g_better_eval(&tt, eval);
    f->tt_move = tt.move;
    f->best = -G_MATE;
    if (f->depth <= 0 || g_razors(p, f))
        return g_stand_pat(p, ply, f, value);
    f->flags |= (uint8_t)((g_improving(p, ply) ? G_IMPROVING : 0) |
                          (tt.move && g_is_noisy(p, tt.move) ? G_TT_NOISY : 0));
    return g_prune_node(w, p, f, value);
}

/* All moves, or captures and queen promotions for quiescence out of check. */
DEVICE void g_begin_moves(GSearch *w, GPosition *p, int ply, GFrame *f)
{
    if (f->depth >= 4 && !f->tt_move && (f->flags & (G_PV_NODE | G_CUT_NODE)))
        f->depth--; /* internal iterative reduction */
    GMoveList *list = &w->memory->lists[ply];
    f->count =
        (uint8_t)g_generate(w->tables, p, f->depth <= 0 && !p->in_check, list, w->shared->scratch);
    g_rank(w, p, list, f->count, f->tt_move, f->depth);
}

/* -- Moves -- */

DEVICE int g_base_reduction(int depth, int number, bool noisy)
{
    float logs = logf((float)depth) * logf((float)number);
    return noisy ? 100 + (int)(330 * logs) : 869 + (int)(469 * logs);
}

/* Quiet evasions are left out once a move does not lose, captures when they cannot reach alpha. */
DEVICE bool g_qsearch_prunes(const GPosition *p, GFrame *f)
{
    bool noisy = f->flags & G_MOVE_NOISY;
    if (f->best <= -G_DECISIVE)
        return false;
    if (p->in_check)
        return !noisy;
    if (g_is_promotion(f->move) || (f->flags & G_MOVE_CHECKS))
        return false;
    int futility_value = p->eval + 193 + g_see_value(g_captured_type(p, f->move));
    if (futility_value > f->alpha)
        return false;
    f->best = (int16_t)g_max(f->best, futility_value);
    return true;
}

/* One quiet move that is pruned for its futility takes all that follow with it: their reductions
 * are larger. */
DEVICE bool g_prunes(const GPosition *p, int ply, GFrame *f, int rank, GMoveList *list)
{
    if (ply == 0 || f->best <= -G_DECISIVE || !g_has_pieces(p, p->side))
        return false;
    bool noisy = f->flags & G_MOVE_NOISY, checks = f->flags & G_MOVE_CHECKS;
    int depth = g_max(f->new_depth - g_base_reduction(f->depth, f->searched, noisy) / 1024, 0);
    if (noisy)
        return rank < G_RANK_BAD_CAPTURE ||
               (!checks && depth < 7 && !p->in_check &&
                p->eval + 210 + 197 * depth + g_see_value(g_captured_type(p, f->move)) <= f->alpha);
    if ((depth <= 5 && f->history < -3903 * f->depth) || ((f->flags & G_MOVE_HANGS) && depth <= 2))
        return true;
    depth = g_max(depth + f->history / 12000, 0);
    int futility_value = p->eval + 86 + 95 * depth;
    if (p->in_check || depth >= 9 || checks || futility_value > f->alpha)
        return false;
    f->best = (int16_t)g_max(f->best, futility_value);
    g_drop_quiets(p, list, f->count);
    return true;
}

/* Late move reductions. */
DEVICE int g_reduced_depth(const GPosition *p, const GFrame *f)
{
    bool noisy = f->flags & G_MOVE_NOISY, pv_node = f->flags & G_PV_NODE;
    int r = g_base_reduction(f->depth, f->searched, noisy);
    r += (f->flags & G_CUT_NODE) ? 1622 : 0;
    r -= pv_node ? 1975 : 0;
    r += (f->flags & G_IMPROVING) ? 0 : 600;
    r -= (f->flags & G_MOVE_CHECKS) ? 700 : 0;
    r += (f->flags & G_TT_NOISY) && !noisy ? 800 : 0;
    r -= f->move == p->killer ? 900 : 0;
    r -= f->history * 1024 / 9407;
    return g_max(1, g_min(f->new_depth - r / 1024, f->new_depth + pv_node));
}

DEVICE void g_look_at_move(const GSearch *w, const GPosition *p, GFrame *f, int m, int rank)
{
    uint64_t unsafe = g_pawn_attacks(p->side ^ 1, g_pieces(p, p->side ^ 1, G_PAWN));
    bool noisy = g_is_noisy(p, m);
    f->move = (uint16_t)m;
    f->history = noisy ? 0 : w->memory->history[p->side][m & 4095];
    f->flags = (uint8_t)((f->flags & G_NODE_FLAGS) | (noisy ? G_MOVE_NOISY : 0) |
                         ((rank & G_RANK_CHECKS) ? G_MOVE_CHECKS : 0) |
                         (g_hangs(p, m, unsafe) ? G_MOVE_HANGS : 0));
    f->new_depth = (int8_t)(f->depth - 1);
    f->searched++;
}

DEVICE int g_finish(GSearch *w, GPosition *p, int ply, GFrame *f)
{
    bool quiesce = f->depth <= 0, pv_node = f->flags & G_PV_NODE;
    if (!f->searched && (p->in_check || !quiesce))
        return p->in_check ? ply - G_MATE : 0;
    int best = f->best, beta = f->beta;
    if (best >= beta && g_abs(best) < G_DECISIVE && (quiesce || !pv_node))
        best = quiesce ? (best + beta) / 2 : (best * f->depth + beta) / (f->depth + 1);
    int bound = best >= beta                          ? G_BOUND_LOWER
                : pv_node && f->best_move && !quiesce ? G_BOUND_LOWER | G_BOUND_UPPER
                                                      : G_BOUND_UPPER;
    g_tt_store(w, p, ply, quiesce ? 0 : f->depth, best, bound, f->best_move);
    return best;
}

/* Picks and makes the next move and decides how it is searched first. */
DEVICE GAction g_next(GSearch *w, GPosition *p, int ply, GFrame *f)
{
    bool quiesce = f->depth <= 0;
    int rank;
    ROLLED
    for (int m; (m = g_pick(&w->memory->lists[ply], f->count, &rank));) {
        if (quiesce && !p->in_check && rank < G_RANK_QUIET)
            break; /* captures that lose material */
        g_look_at_move(w, p, f, m, rank);
        if (quiesce ? g_qsearch_prunes(p, f) : g_prunes(p, ply, f, rank, &w->memory->lists[ply]))
            continue;
        g_place(w->random_keys, p, m);
        warp_prefetch(&w->memory->tt[p[1].key & (G_TT_SIZE - 1)]);
        if (!g_look_for_checks(w->tables, &p[1])) {
            f->searched--;
            continue;
        }
        bool first = f->searched == 1;
        f->stage = quiesce                                         ? G_STAGE_QUIESCE
                   : f->depth >= 2 && f->searched > 1 + (ply == 0) ? G_STAGE_LMR
                   : (f->flags & G_PV_NODE) && first               ? G_STAGE_FULL
                                                                   : G_STAGE_ZERO;
        if (f->stage == G_STAGE_LMR)
            f->reduced = (int8_t)g_reduced_depth(p, f);
        return G_DOWN;
    }
    return G_FINISH;
}

/* -- The way down and back -- */

/* The child that the stage of a node asks for. */
DEVICE GFrame g_child(const GFrame *f)
{
    GFrame child = {0};
    bool full = f->stage == G_STAGE_FULL || f->stage == G_STAGE_QUIESCE;
    bool pv_node = full && (f->flags & G_PV_NODE);
    bool cut_node = f->stage == G_STAGE_LMR || (!full && !(f->flags & G_CUT_NODE));
    int alpha = f->stage == G_STAGE_NULL ? f->beta - 1 : f->alpha;
    child.alpha = (int16_t) - (full ? f->beta : alpha + 1);
    child.beta = (int16_t)-alpha;
    child.depth = f->stage == G_STAGE_QUIESCE                           ? 0
                  : f->stage == G_STAGE_NULL || f->stage == G_STAGE_LMR ? f->reduced
                                                                        : f->new_depth;
    child.flags = (uint8_t)((pv_node ? G_PV_NODE : 0) | (cut_node ? G_CUT_NODE : 0));
    return child;
}

/* Takes over the score of a move. */
DEVICE GAction g_take_score(GSearch *w, GPosition *p, int ply, GFrame *f, int score)
{
    if (score <= f->best)
        return G_NEXT;
    f->best = (int16_t)score;
    if (score <= f->alpha)
        return G_NEXT;
    f->best_move = f->move;
    if (ply == 0)
        w->best = f->move;
    if (score >= f->beta) {
        if (f->depth > 0 && !(f->flags & G_MOVE_NOISY))
            g_history_update(w, p, &w->memory->lists[ply], f->count, f->move, f->depth);
        return G_FINISH;
    }
    f->alpha = (int16_t)score;
    if (f->depth > 3 && g_abs(score) < G_DECISIVE)
        f->depth--;
    return G_NEXT;
}

/* A child has returned; `score` is from the view of this node. */
DEVICE GAction g_back(GSearch *w, GPosition *p, int ply, GFrame *f, int score, int *value)
{
    if (w->stopped)
        return G_RETURN;
    if (f->stage == G_STAGE_NULL) {
        *value = score;
        return score >= f->beta && score < G_DECISIVE ? G_RETURN : G_GENERATE;
    }
    bool above = score > f->alpha, pv_node = f->flags & G_PV_NODE;
    if (above && f->stage == G_STAGE_LMR && f->reduced < f->new_depth) {
        f->stage = G_STAGE_ZERO;
        return G_DOWN;
    }
    if (above && pv_node && (f->stage == G_STAGE_LMR || f->stage == G_STAGE_ZERO)) {
        f->stage = G_STAGE_FULL;
        return G_DOWN;
    }
    return g_take_score(w, p, ply, f, score);
}

DEVICE void g_keep_frame(GSearch *w, int ply, const GFrame *f)
{
    warp_sync();
    if (warp_lane() == 0)
        w->shared->frames[ply] = *f;
    warp_sync();
}

/* One iteration; the root is at stack[0]. A turn of the loop goes from a node to a child and, where
 * that returns at once, back. */
DEVICE int g_search(GSearch *w, int depth)
{
    GFrame f = {0};
    int ply = 0, value = 0;
    GAction action = G_ENTER;
    f.alpha = -G_MATE - 1;
    f.beta = G_MATE + 1;
    f.depth = (int8_t)depth;
    f.flags = G_PV_NODE;
    for (;;) {
        GPosition *p = &w->shared->stack[ply];
        if (action == G_GENERATE) {
            g_begin_moves(w, p, ply, &f);
            action = G_NEXT;
        }
        if (action == G_NEXT)
            action = g_next(w, p, ply, &f);
        if (action == G_DOWN) {
            g_keep_frame(w, ply++, &f);
            f = g_child(&f);
            p++;
            action = G_ENTER;
        }
        if (action == G_ENTER)
            action = g_enter(w, p, ply, &f, &value);
        ROLLED
        while (action == G_FINISH || action == G_RETURN) {
            if (action == G_FINISH)
                value = g_finish(w, p, ply, &f);
            if (ply == 0)
                return value;
            p--;
            f = w->shared->frames[--ply];
            action = g_back(w, p, ply, &f, -value, &value);
        }
    }
}

/* -- Iterations -- */

/* The root is at stack[0], and the keys of the game are kept. False without a legal move. */
DEVICE bool g_iterate(GSearch *w, int *move, int *score)
{
    GPosition *root = &w->shared->stack[0];
    g_refresh(w->net, root, w->memory->accumulators);
    if (warp_lane() == 0) {
        root->accumulator = 0;
        root->killer = root[1].killer = 0;
    }
    warp_sync();
    w->nodes = 0;
    w->stopped = false;
    *move = 0;
    ROLLED
    for (int depth = 1; depth <= G_LAST_DEPTH; depth++) {
        w->best = 0;
        int found = g_search(w, depth);
        if (w->stopped || !w->best)
            break;
        *move = w->best;
        *score = found;
        if (w->nodes >= w->soft_nodes)
            break;
    }
    return *move != 0;
}

#endif
