/* The search, as short as it can be told. Each verdict lives under its name: node_common.c (entering,
 * table, evaluation), prune.c, extend.c, reduce.c, record.c, correction.c, probe_tb.c. */
#include "search/picker.h"

#include "chess/movegen.h"

/* The table may end the visit, and a quiet move that did so once more has earned a reward. */
static bool node_probe_table(Worker *w, Node *n)
{
    node_look_up(w, n);
    if (n->excluded)
        n->tt.move = MOVE_NONE;
    /* Near the fifty-move draw the table's past may not be ours. */
    if (!node_table_cuts(n, n->depth) || w->pos.st.rule50 >= 90)
        return false;
    record_table_cutoff(w, n);
    n->score = n->tt.score;
    return true;
}

static void node_settle_eval(Worker *w, Node *n)
{
    if (n->excluded) /* the first visit has evaluated it */
        n->raw_eval = n->eval = n->at->eval;
    else
        node_static_eval(w, n);
    const Ply *at = n->at;
    Score before = (at - 2)->eval != SCORE_NONE ? (at - 2)->eval : (at - 4)->eval;
    n->improving = !n->in_check && (before == SCORE_NONE || at->eval > before);
    n->at->was_pv = n->was_pv;
    (n->at + 2)->killer = MOVE_NONE;
    (n->at + 1)->cutoffs = 0;
}

static bool step_is_wanted(Worker *w, const Node *n, Move m)
{
    if (m == n->excluded)
        return false;
    if (n->ply > 0)
        return true;
    /* Not those outside searchmoves, told already as a line of MultiPV, or worse by tablebase. */
    RootMove *r = root_find(w, m);
    return r && r - w->root >= w->pv_index && r->tb_rank == w->root[w->pv_index].tb_rank;
}

static bool step_next(Worker *w, Node *n, Picker *p, Step *s)
{
    Move m;
    do {
        m = picker_next(p);
        if (!m)
            return false;
    } while (!step_is_wanted(w, n, m));
    s->move = m;
    s->number = n->at->number = ++n->count;
    if (n->ply == 0)
        root_tell_move(w, m, s->number);
    s->piece = w->pos.board[move_from(m)];
    s->noisy = move_is_noisy(&w->pos, m);
    s->check = pos_gives_check(&w->pos, m);
    s->history = s->noisy ? *history_noisy(w->history, &w->pos, m) : quiet_history(w, n, m);
    s->new_depth = n->depth - 1;
    return true;
}

static Score search_child(Worker *w, const Node *n, Score alpha, Score beta, int depth, bool pv,
                          bool cut)
{
    Node child = {
        .ply = n->ply + 1, .depth = depth, .alpha = -beta, .beta = -alpha, .pv = pv, .cut = cut};
    return -node_search(w, &child);
}

/* Late moves are first asked, at less depth, whether they deserve more. */
static Score search_reduced(Worker *w, const Node *n, Step *s)
{
    int reduction = step_reduction(w, n, s);
    int depth = clamp_int(s->new_depth - reduction / 1024, 1, s->new_depth + n->pv);
    n->at->reduction = reduction;
    Score score = search_child(w, n, n->alpha, n->alpha + 1, depth, false, true);
    n->at->reduction = 0;
    if (score <= n->alpha || depth >= s->new_depth || w->stopped)
        return score;
    s->new_depth += score > n->best + param(w, deeper_margin) + 2 * s->new_depth;
    s->new_depth -= score < n->best + param(w, shallower_margin);
    if (depth < s->new_depth)
        score = search_child(w, n, n->alpha, n->alpha + 1, s->new_depth, false, !n->cut);
    if (!s->noisy)
        record_reply(n->at, s->piece, move_to(s->move),
                     score >= n->beta    ? 700
                     : score <= n->alpha ? -500
                                         : 0);
    return score;
}

static void step_search(Worker *w, Node *n, Step *s)
{
    if (n->depth >= 2 && s->number > 1 + (n->ply == 0) && !w->proving)
        s->score = search_reduced(w, n, s);
    else if (!n->pv || s->number > 1)
        s->score = search_child(w, n, n->alpha, n->alpha + 1, s->new_depth, false, !n->cut);
    if (n->pv && !w->stopped && (s->number == 1 || s->score > n->alpha))
        s->score = search_child(w, n, n->alpha, n->beta, s->new_depth, true, false);
}

/* A root move remembers its own line; only the first and those that beat it have a score to show. */
static void root_take(Worker *w, const Node *n, const Step *s)
{
    RootMove *r = root_find(w, s->move);
    r->nodes += worker_nodes(w) - s->nodes_before;
    r->average = r->average == -SCORE_INFINITE ? s->score : (r->average + s->score) / 2;
    if (s->number > 1 && s->score <= n->alpha) {
        r->score = -SCORE_INFINITE; /* not sorted by a bound that says nothing */
        return;
    }
    r->score = r->shown = s->score;
    r->bound = s->score >= n->beta             ? BOUND_LOWER
               : s->score <= n->alpha_at_start ? BOUND_UPPER
                                               : BOUND_EXACT;
    r->seldepth = w->seldepth;
    r->pv[0] = s->move;
    const Ply *child = n->at + 1;
    for (int i = 0; i < child->pv_length; i++)
        r->pv[i + 1] = child->pv[i];
    r->pv_length = child->pv_length + 1;
}

static void tried_add(Tried *t, Move m)
{
    if (t->count < TRIED_MAX)
        t->moves[t->count++] = m;
}

/* Takes the result of a step into the node; true when the node is cut off. */
static bool node_take(Worker *w, Node *n, const Step *s)
{
    if (n->ply == 0)
        root_take(w, n, s);
    if (s->score > n->best) {
        n->best = s->score;
        if (s->score > n->alpha) {
            n->best_move = s->move;
            if (n->pv && n->ply > 0)
                node_set_pv(n, s->move);
            if (s->score >= n->beta) {
                (n->at)->cutoffs++;
                return true;
            }
            n->alpha = s->score;
            /* Having found something good, look a little less deeply at the rest. */
            if (n->depth > 3 && n->depth < 14 && !score_is_decisive(s->score) && !w->proving)
                n->depth--;
        }
    }
    if (s->move != n->best_move)
        tried_add(s->noisy ? &n->noisies : &n->quiets, s->move);
    return false;
}

static Score node_finish(Worker *w, Node *n)
{
    if (!n->count)
        return n->excluded ? n->alpha : n->in_check ? score_mated_in(n->ply) : SCORE_DRAW;
    if (n->best_move && n->best >= n->beta)
        record_cutoff(w, n);
    /* A cutoff far above beta is rarely the whole truth. */
    if (n->best >= n->beta && !n->pv && !score_is_decisive(n->best) && !score_is_decisive(n->beta))
        n->best = (n->best * n->depth + n->beta) / (n->depth + 1);
    n->best = min_int(n->best, n->ceiling);
    ScoreBound bound = n->best >= n->beta      ? BOUND_LOWER
                       : n->pv && n->best_move ? BOUND_EXACT
                                               : BOUND_UPPER;
    if (!n->excluded && !(n->ply == 0 && w->pv_index))
        node_store(w, n, n->depth, n->best, bound, n->best_move);
    correction_learn(w, n);
    return n->best;
}

Score node_search(Worker *w, Node *n)
{
    if (n->depth <= 0)
        return quiesce_search(w, n);
    node_enter(w, n);
    if (node_is_settled(w, n))
        return n->score;
    if (node_probe_table(w, n) || node_probe_tb(w, n))
        return n->score;
    node_settle_eval(w, n);
    if (node_prune(w, n))
        return n->score;

    Picker picker;
    picker_init(&picker, w, n);
    for (Step s; step_next(w, n, &picker, &s);) {
        if (step_prune(w, n, &picker, &s))
            continue;
        if (step_extend(w, n, &s))
            return n->score;
        step_make(w, n, &s);
        step_search(w, n, &s);
        step_unmake(w, n, &s);
        if (w->stopped)
            return SCORE_DRAW;
        if (node_take(w, n, &s))
            break;
    }
    return node_finish(w, n);
}
