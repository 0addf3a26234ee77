/* A plain alpha-beta whose moves must be noticed first. Where something was overlooked, the one who moves may
 * also do "something ordinary": the position is then worth what it seems. */
#include "levels/level_int.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "chess/see.h"

#include <string.h>

enum {
    QUIESCE_PLIES = 12, /* below the horizon; exchanges are over by then */
    STOP_EVERY = 256,   /* nodes between two looks at the flag */
    EVASION_PLIES = 2,  /* of those: checks are answered with any move */
    FEW_MOVES = 3,      /* so few choices are all seen */
    ROTE_PLIES = 12,
    ROTE_NOISE = 20,
    NOISY_FIRST = 1 << 20,
    KILLER_NEXT = 1 << 19
};
static const double ROTE_JUDGEMENT = 0.9;

typedef struct SightMove {
    Move move;
    int order;
} SightMove;

void sight_begin(Sight *s, const Position *p)
{
    s->pos = *p;
    s->nodes = 0;
    s->stopped = false;
    memset(s->killers, 0, sizeof s->killers);
    memset(s->history, 0, sizeof s->history);
    eval_reset(s->eval, p);
}

/* -- Judging -- */

static int material(const Position *p)
{
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += see_value[t] * (bb_count(pos_pieces(p, p->side, t)) -
                               bb_count(pos_pieces(p, color_other(p->side), t)));
    return sum;
}

/* What the position seems worth: what this level understands of it, and how it errs about it. The error is the
 * same throughout a game, so that it is a taste and no wavering. First moves are known by rote: there
 * even beginners understand more and err less. */
static Score judge(Sight *s)
{
    const Position *p = &s->pos;
    bool rote = p->game_ply < ROTE_PLIES;
    double judgement =
        rote && s->traits.judgement < ROTE_JUDGEMENT ? ROTE_JUDGEMENT : s->traits.judgement;
    Score full = eval_score(s->eval, p);
    if (judgement < 1) {
        int men = material(p);
        full = men + (Score)((full - men) * judgement);
    }
    int noise = rote && s->traits.noise > ROTE_NOISE ? ROTE_NOISE : s->traits.noise;
    full += (Score)((2 * level_chance(s->taste, p->st.key) - 1) * noise);
    return score_clip(full);
}

/* -- Moves -- */

static int order_of(const Sight *s, Move m, int ply)
{
    const Position *p = &s->pos;
    if (pos_is_capture(p, m))
        return NOISY_FIRST + see_value[pos_captured_type(p, m)] -
               (int)piece_type(p->board[move_from(m)]);
    if (move_is_promotion(m))
        return NOISY_FIRST;
    if (m == s->killers[ply][0] || m == s->killers[ply][1])
        return KILLER_NEXT;
    return s->history[p->side][move_from(m)][move_to(m)];
}

static SightMove pick(SightMove *moves, int i, int count)
{
    int best = i;
    for (int k = i + 1; k < count; k++)
        if (moves[k].order > moves[best].order)
            best = k;
    SightMove m = moves[best];
    moves[best] = moves[i];
    moves[i] = m;
    return m;
}

/* The moves that are noticed here; *all tells whether none was overlooked. */
static int noticed(const Sight *s, GenKind kind, int ply, Square last_to, SightMove *out, bool *all)
{
    Move list[MAX_MOVES];
    int count = movegen(&s->pos, kind, list), kept = 0;
    bool every = pos_in_check(&s->pos) || (kind == GEN_ALL && count <= FEW_MOVES);
    for (int i = 0; i < count; i++)
        if (every || level_notices(&s->traits, s->thought, &s->pos, list[i], last_to, ply))
            out[kept++] = (SightMove){list[i], order_of(s, list[i], ply)};
    *all = kept == count;
    return kept;
}

static void make(Sight *s, Move m, Undo *undo)
{
    eval_push(s->eval, &s->pos, m);
    pos_make(&s->pos, m, undo);
    s->nodes++;
}

static void unmake(Sight *s, Move m, const Undo *undo)
{
    pos_unmake(&s->pos, m, undo);
    eval_pop(s->eval);
}

static bool must_stop(Sight *s)
{
    if (s->nodes >= s->max_nodes || (s->nodes % STOP_EVERY == 0 && atomic_load(s->stop)))
        s->stopped = true;
    return s->stopped;
}

static void keep_line(Sight *s, int ply, Move m)
{
    s->line[ply][0] = m;
    int rest = ply + 1 < SIGHT_MAX_PLY ? s->line_length[ply + 1] : 0;
    if (rest > SIGHT_MAX_PLY - 1 - ply)
        rest = SIGHT_MAX_PLY - 1 - ply;
    if (rest)
        memcpy(&s->line[ply][1], s->line[ply + 1], (size_t)rest * sizeof(Move));
    s->line_length[ply] = rest + 1;
}

/* -- The tree -- */

/* Where the next move would be a recapture. */
static Square taken_at(const Position *p, Move last)
{
    return p->st.captured == NO_PIECE ? SQ_NONE : move_to(last);
}

static Score quiesce(Sight *s, Score alpha, Score beta, int ply, int left, Square last_to)
{
    s->line_length[ply] = 0;
    bool evade = pos_in_check(&s->pos) && left > QUIESCE_PLIES - EVASION_PLIES;
    if (pos_in_check(&s->pos) && !movegen_any(&s->pos))
        return score_mated_in(ply);
    Score best = evade ? -SCORE_INFINITE : judge(s);
    if (left == 0 || ply + 1 >= SIGHT_MAX_PLY || must_stop(s) || best >= beta)
        return evade ? judge(s) : best;
    SightMove moves[MAX_MOVES];
    bool all;
    int count = noticed(s, evade ? GEN_ALL : GEN_NOISY, ply, last_to, moves, &all);
    for (int i = 0; i < count && !s->stopped && best < beta; i++) {
        Move m = pick(moves, i, count).move;
        if (!evade && !see_at_least(&s->pos, m, 0))
            continue;
        if (best > alpha)
            alpha = best;
        Undo undo;
        make(s, m, &undo);
        Score v = -quiesce(s, -beta, -alpha, ply + 1, left - 1, taken_at(&s->pos, m));
        unmake(s, m, &undo);
        if (v > best) {
            best = v;
            keep_line(s, ply, m);
        }
    }
    return best;
}

static void praise(Sight *s, Move m, int depth, int ply)
{
    if (pos_is_capture(&s->pos, m))
        return;
    if (s->killers[ply][0] != m) {
        s->killers[ply][1] = s->killers[ply][0];
        s->killers[ply][0] = m;
    }
    uint16_t *h = &s->history[s->pos.side][move_from(m)][move_to(m)];
    if (*h < UINT16_MAX - SIGHT_MAX_PLY * SIGHT_MAX_PLY)
        *h = (uint16_t)(*h + depth * depth);
}

static Score look(Sight *s, Score alpha, Score beta, int depth, int ply, Square last_to)
{
    s->line_length[ply] = 0;
    if (s->pos.st.rule50 >= 100 || draw_by_repetition(&s->pos, ply) || draw_by_material(&s->pos))
        return SCORE_DRAW;
    if (depth <= 0 || ply + 1 >= SIGHT_MAX_PLY)
        return quiesce(s, alpha, beta, ply, QUIESCE_PLIES, last_to);
    if (must_stop(s))
        return 0;
    SightMove moves[MAX_MOVES];
    bool all, check = pos_in_check(&s->pos);
    int count = noticed(s, GEN_ALL, ply, last_to, moves, &all);
    if (count == 0 && all)
        return check ? score_mated_in(ply) : SCORE_DRAW;
    Score best = all ? -SCORE_INFINITE : judge(s);
    for (int i = 0; i < count && !s->stopped && best < beta; i++) {
        Move m = pick(moves, i, count).move;
        if (best > alpha)
            alpha = best;
        Undo undo;
        make(s, m, &undo);
        Score v = -look(s, -beta, -alpha, depth - 1, ply + 1, taken_at(&s->pos, m));
        unmake(s, m, &undo);
        if (v <= best || s->stopped)
            continue;
        best = v;
        keep_line(s, ply, m);
        if (v >= beta)
            praise(s, m, depth, ply);
    }
    return best;
}

/* -- The root -- */

static void copy_line(const Sight *s, SightLine *to, Score score)
{
    int rest = s->line_length[1] < SIGHT_MAX_PLY - 1 ? s->line_length[1] : SIGHT_MAX_PLY - 1;
    memcpy(&to->pv[1], s->line[1], (size_t)rest * sizeof(Move));
    to->length = rest + 1;
    to->score = score;
}

/* Keeps the order of equals: what led before goes on leading. */
static void sort_lines(SightLine *lines, int count)
{
    for (int i = 1; i < count; i++) {
        SightLine l = lines[i];
        int k = i;
        for (; k > 0 && lines[k - 1].score < l.score; k--)
            lines[k] = lines[k - 1];
        lines[k] = l;
    }
}

bool sight_rank(Sight *s, SightLine *lines, int count, int depth, int margin)
{
    SightLine found[MAX_MOVES];
    Score best = -SCORE_INFINITE;
    for (int i = 0; i < count && !s->stopped; i++) {
        Score floor = best > -SCORE_EVAL_MAX ? best - margin - 1 : -SCORE_INFINITE;
        Move m = lines[i].pv[0];
        found[i].pv[0] = m;
        Undo undo;
        make(s, m, &undo);
        Score v = -look(s, -SCORE_INFINITE, -floor, depth - 1, 1, taken_at(&s->pos, m));
        unmake(s, m, &undo);
        copy_line(s, &found[i], v);
        if (v > best)
            best = v;
    }
    if (s->stopped)
        return false;
    sort_lines(found, count);
    memcpy(lines, found, (size_t)count * sizeof *lines);
    return true;
}

Score sight_quiet(Sight *s, Square last_to)
{
    return quiesce(s, -SCORE_INFINITE, SCORE_INFINITE, 1, QUIESCE_PLIES, last_to);
}
