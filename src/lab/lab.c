/* The classic search of the laboratory, fail-soft. Each technique is a short function behind its
 * switch; without any switch it is minimax. */
#include "lab/lab.h"

#include "base/clock.h"
#include "chess/draw.h"
#include "chess/movegen.h"
#include "lab/lab_int.h"

#include <stdlib.h>

/* The range of values a root can have: mated now, or mating at once. A root that finds the mate in
 * one need not look further, for nothing is better. */
enum { WORST = -SCORE_MATE, BEST = SCORE_MATE - 1 };

enum { RULE50_PLIES = 100, ASK_EVERY = 1024 };

enum {
    ASPIRATION_WINDOW = 50,
    NULL_REDUCTION = 3, /* the document's: one for the move, two more */
    NULL_MODERN_REDUCTION = 2,
    LAST_CAPTURE_PLY = 7,
    LATE_MOVE = 3,
    LATE_DEPTH = 3
};

/* A position under search, and what is known of it so far. */
typedef struct Visit {
    int depth, ply;
    Score alpha, beta, best;
    Move move;
    bool checked;
} Visit;

static Score search(Lab *l, int depth, int ply, Score alpha, Score beta, bool after_null);

/* -- What is remembered: positions, and good quiet moves by ply and by squares -- */

static LabEntry *slot(const Lab *l)
{
    return &l->table[l->position.st.key >> (64 - LAB_TABLE_BITS)];
}

const LabEntry *lab_find(const Lab *l)
{
    const LabEntry *e = slot(l);
    return e->bound != LAB_NO_BOUND && e->key == l->position.st.key ? e : NULL;
}

/* Entries count mates from their position, the search from the root: so many plies before. */
static Score seen_after(Score value, int plies)
{
    if (!score_is_mate(value))
        return value;
    return value > 0 ? value + plies : value - plies;
}

/* A quiet move has refuted the present position. */
static void reward(Lab *l, Move m, int depth, int ply)
{
    if (l->killers[ply][0] != m) {
        l->killers[ply][1] = l->killers[ply][0];
        l->killers[ply][0] = m;
    }
    int *history = &l->history[l->position.side][move_from(m)][move_to(m)];
    if (*history < LAB_MOST_HISTORY)
        *history += depth * depth;
}

/* -- Ends of lines -- */

bool lab_must_end(const LabSetup *s, uint64_t nodes, bool *stopped)
{
    if (s->max_nodes && nodes > s->max_nodes)
        *stopped = true;
    if (s->stop && nodes % ASK_EVERY == 0 && s->stop(s->user))
        *stopped = true;
    return *stopped;
}

static Score no_moves_value(const Lab *l, int ply)
{
    return pos_in_check(&l->position) ? score_mated_in(ply) : SCORE_DRAW;
}

static bool is_drawn(const Position *p, int ply)
{
    return draw_by_material(p) || draw_by_repetition(p, ply) ||
           (p->st.rule50 >= RULE50_PLIES && movegen_any(p));
}

/* The document's: a position with a capture is worth its best capture, whatever it costs, as far as
 * ply 7. Such a position counts once more than the leaf that it is. */
static Score quiesce_forced(Lab *l, int ply, Score alpha, Score beta)
{
    Move moves[MAX_MOVES];
    Score best = -SCORE_INFINITE;
    l->nodes++;
    if (lab_must_end(&l->setup, l->nodes, &l->stopped))
        return 0;
    if (!movegen_any(&l->position))
        return no_moves_value(l, ply);
    int count = ply > LAST_CAPTURE_PLY ? 0 : lab_only_captures(l, moves);
    if (!count)
        return l->setup.evaluate(&l->position);
    for (int i = 0; i < count && !l->stopped && best < beta; i++) {
        Undo undo;
        pos_make(&l->position, moves[i], &undo);
        Score score = -quiesce_forced(l, ply + 1, -beta, -(alpha > best ? alpha : best));
        pos_unmake(&l->position, moves[i], &undo);
        if (score > best)
            best = score;
    }
    return best;
}

/* The modern form: the side to move may always be content with the evaluation. */
static Score quiesce(Lab *l, int ply, Score alpha, Score beta)
{
    Move moves[MAX_MOVES];
    if (!movegen_any(&l->position))
        return no_moves_value(l, ply);
    Score best = l->setup.evaluate(&l->position);
    if (best >= beta || ply >= MAX_PLY)
        return best;
    int count = lab_captures(l, moves);
    for (int i = 0; i < count && !l->stopped; i++) {
        Undo undo;
        pos_make(&l->position, moves[i], &undo);
        l->nodes++;
        Score low = alpha > best ? alpha : best;
        Score score =
            lab_must_end(&l->setup, l->nodes, &l->stopped) ? 0 : -quiesce(l, ply + 1, -beta, -low);
        pos_unmake(&l->position, moves[i], &undo);
        if (score > best)
            best = score;
        if (best >= beta)
            break;
    }
    return best;
}

static Score leaf(Lab *l, int ply, Score alpha, Score beta)
{
    Move moves[MAX_MOVES];
    if (lab_uses(l, LAB_QUIESCENCE_MODERN))
        return quiesce(l, ply, alpha, beta);
    if (lab_uses(l, LAB_QUIESCENCE) && lab_only_captures(l, moves))
        return quiesce_forced(l, ply, alpha, beta);
    return movegen_any(&l->position) ? l->setup.evaluate(&l->position) : no_moves_value(l, ply);
}

/* -- Before the moves -- */

/* The same position at the very same depth: a deeper entry would be wiser, but not minimax's value.
 * The root needs a move and is always searched. */
static bool table_returns(const Lab *l, Visit *v)
{
    const LabEntry *e = lab_uses(l, LAB_TABLE) && v->ply > 0 ? lab_find(l) : NULL;
    if (!e || e->depth != v->depth)
        return false;
    v->best = seen_after(e->value, -v->ply);
    return e->bound == LAB_EXACT || (e->bound == LAB_LOWER && v->best >= v->beta) ||
           (e->bound == LAB_UPPER && v->best <= v->alpha);
}

/* Passing leaves the opponent better off than almost any move would. If even that is good enough,
 * so is some move; zugzwang, which Kanji left as a wish, is where this errs. The modern form does
 * not pass with king and pawns alone, where zugzwang is common. */
static bool null_move_returns(Lab *l, Visit *v, bool after_null)
{
    Undo undo;
    bool modern = lab_uses(l, LAB_NULL_MODERN);
    if (!(modern || lab_uses(l, LAB_NULL)) || v->checked || v->ply == 0)
        return false;
    if (modern && (after_null || v->depth < NULL_MODERN_REDUCTION ||
                   !pos_has_pieces(&l->position, l->position.side)))
        return false;
    int depth = v->depth - (modern ? NULL_MODERN_REDUCTION : NULL_REDUCTION);
    pos_make_null(&l->position, &undo);
    Score score = -search(l, depth, v->ply + 1, -v->beta, modern ? 1 - v->beta : -v->alpha, true);
    pos_unmake_null(&l->position, &undo);
    v->best = v->beta;
    return score >= v->beta;
}

/* -- The moves -- */

static bool is_late(const Lab *l, const Visit *v, int index, bool quiet)
{
    return lab_uses(l, LAB_LMR) && index >= LATE_MOVE && v->depth >= LATE_DEPTH && quiet &&
           !v->checked && !pos_in_check(&l->position);
}

/* The value of the move just made: at first by cheaper searches where those are switched on. */
static Score child_value(Lab *l, const Visit *v, int index, bool quiet)
{
    int depth = v->depth - 1, ply = v->ply + 1;
    Score low = v->alpha > v->best ? v->alpha : v->best, score;
    if (!lab_uses(l, LAB_ALPHABETA))
        return -search(l, depth, ply, -SCORE_INFINITE, SCORE_INFINITE, false);
    if (is_late(l, v, index, quiet)) {
        score = -search(l, depth - 1, ply, -low - 1, -low, false);
        if (score <= low)
            return score;
    }
    if (lab_uses(l, LAB_PVS) && index > 0 && v->beta - low > 1) {
        score = -search(l, depth, ply, -low - 1, -low, false);
        if (score <= low || score >= v->beta)
            return score;
    }
    return -search(l, depth, ply, -v->beta, -low, false);
}

/* True when the move refutes the position: nobody lets it come so far. */
static bool try_move(Lab *l, Visit *v, Move m, int index)
{
    Undo undo;
    bool quiet = !pos_is_capture(&l->position, m) && !move_is_promotion(m);
    pos_make(&l->position, m, &undo);
    Score score = child_value(l, v, index, quiet);
    pos_unmake(&l->position, m, &undo);
    if (l->stopped)
        return true;
    if (score > v->best) {
        v->best = score;
        v->move = m;
        if (v->ply == 0)
            l->root_move = m;
    }
    if (!lab_uses(l, LAB_ALPHABETA) || v->best < v->beta)
        return false;
    if (quiet)
        reward(l, m, v->depth, v->ply);
    return true;
}

static void remember(Lab *l, const Visit *v)
{
    if (!lab_uses(l, LAB_TABLE) || l->stopped)
        return;
    LabBound bound = v->best >= v->beta ? LAB_LOWER : v->best <= v->alpha ? LAB_UPPER : LAB_EXACT;
    *slot(l) = (LabEntry){l->position.st.key, seen_after(v->best, v->ply), v->move,
                          (uint8_t)v->depth, (uint8_t)bound};
}

static Score search(Lab *l, int depth, int ply, Score alpha, Score beta, bool after_null)
{
    Move moves[MAX_MOVES];
    Visit v = {depth, ply, alpha, beta, -SCORE_INFINITE, MOVE_NONE, pos_in_check(&l->position)};
    l->nodes++;
    if (lab_must_end(&l->setup, l->nodes, &l->stopped))
        return 0;
    if (l->setup.game && ply > 0 && is_drawn(&l->position, ply))
        return SCORE_DRAW;
    if (depth <= 0)
        return leaf(l, ply, alpha, beta);
    if (table_returns(l, &v))
        return v.best;
    if (null_move_returns(l, &v, after_null))
        return v.best;
    v.best = -SCORE_INFINITE;
    int count = lab_moves(l, ply, moves);
    if (!count)
        return no_moves_value(l, ply);
    for (int i = 0; i < count; i++)
        if (try_move(l, &v, moves[i], i))
            break;
    remember(l, &v);
    return v.best;
}

/* -- An iteration -- */

/* A narrow window around the last value; on a miss, open on that side. */
static Score aspirate(Lab *l, int depth, Score last)
{
    Score alpha = last - ASPIRATION_WINDOW, beta = last + ASPIRATION_WINDOW;
    for (;;) {
        Score value = search(l, depth, 0, alpha, beta, false);
        if (l->stopped)
            return value;
        if (value <= alpha && alpha > WORST)
            alpha = WORST;
        else if (value >= beta && beta < BEST)
            beta = BEST;
        else
            return value;
    }
}

/* Null windows only, each of which gives a bound, until the bounds meet. The move is that of the
 * last search that failed high: the others know only what is not good enough. */
static Score close_in(Lab *l, int depth, Score guess)
{
    Score low = WORST, high = BEST, value = guess;
    Move move = MOVE_NONE;
    while (low < high && !l->stopped) {
        Score beta = value > low ? value : low + 1;
        value = search(l, depth, 0, beta - 1, beta, false);
        if (value < beta) {
            high = value;
        } else {
            low = value;
            move = l->root_move;
        }
    }
    l->root_move = move;
    return value;
}

static Score iterate(Lab *l, int depth, Score last)
{
    l->root_move = MOVE_NONE;
    if (lab_uses(l, LAB_MTDF))
        return close_in(l, depth, last);
    if (lab_uses(l, LAB_ASPIRATION) && depth > 1)
        return aspirate(l, depth, last);
    return search(l, depth, 0, WORST, BEST, false);
}

/* Deeper and deeper, until the depth is reached or a mate is forced. */
static void deepen(Lab *l, LabResult *out)
{
    for (int depth = 1; depth <= l->setup.depth; depth++) {
        Score value = iterate(l, depth, out->value);
        out->nodes = l->nodes;
        if (l->stopped) {
            out->move = out->depth ? out->move : l->root_move;
            return;
        }
        out->value = value;
        out->move = l->root_move;
        out->depth = depth;
        bool wanted = !l->setup.go_on || l->setup.go_on(l->setup.user, out);
        if (score_is_mate(value) || !wanted)
            break;
    }
    out->finished = true;
}

/* -- The experiment -- */

static Lab *lab_create(const Position *p, const LabSetup *setup)
{
    Lab *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->setup = *setup;
    l->position = *p;
    if (!lab_uses(l, LAB_TABLE))
        return l;
    l->table = calloc((size_t)1 << LAB_TABLE_BITS, sizeof *l->table);
    if (l->table)
        return l;
    free(l);
    return NULL;
}

Status lab_run(const Position *p, const LabSetup *setup, LabResult *out, Message *why)
{
    if (setup->depth < 1 || setup->depth > LAB_MAX_DEPTH)
        return status_fail(why, STATUS_INVALID, "depth %d is out of range: 1 to %d", setup->depth,
                           LAB_MAX_DEPTH);
    if (setup->listing)
        return lab_listing_run(p, setup, out, why);
    Lab *l = lab_create(p, setup);
    if (!l)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the search");
    *out = (LabResult){.move = MOVE_NONE};
    int64_t start = clock_now_ns();
    deepen(l, out);
    out->time_ns = clock_now_ns() - start;
    out->nodes = l->nodes;
    free(l->table);
    free(l);
    return STATUS_OK;
}
