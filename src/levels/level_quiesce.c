/* A quiescence search whose captures can be overlooked. */
#include "levels/level_int.h"

#include "chess/movegen.h"
#include "chess/see.h"

enum {
    QUIESCE_PLIES = 12, /* exchanges are over by then */
    EVASION_PLIES = 2,  /* of those: checks are answered with any move */
    PROMOTION = 1 << 10
};

typedef struct OrderedMove {
    Move move;
    int order;
} OrderedMove;

void level_quiesce_begin(LevelQuiesce *q, const Position *p)
{
    q->pos = *p;
    q->nodes = 0;
    eval_reset(q->eval, p);
}

/* The error is the same throughout a game, so that it is a preference and not a fluctuation. */
static Score evaluate(LevelQuiesce *q)
{
    double off = 2 * level_chance(q->noise_seed, q->pos.st.key) - 1;
    return score_clip(eval_score(q->eval, &q->pos) + (Score)(off * q->traits.noise));
}

static int order_of(const Position *p, Move m)
{
    if (pos_is_capture(p, m))
        return PROMOTION + see_value[pos_captured_type(p, m)] -
               (int)piece_type(p->board[move_from(m)]);
    return move_is_promotion(m) ? PROMOTION : 0;
}

static Move pick(OrderedMove *moves, int i, int count)
{
    int best = i;
    for (int k = i + 1; k < count; k++)
        if (moves[k].order > moves[best].order)
            best = k;
    OrderedMove m = moves[best];
    moves[best] = moves[i];
    moves[i] = m;
    return m.move;
}

/* The moves that are not overlooked; out of check all of them are looked at. */
static int list_moves(const LevelQuiesce *q, bool evade, int ply, Square last_to, OrderedMove *out)
{
    Move list[MAX_MOVES];
    int count = movegen(&q->pos, evade ? GEN_ALL : GEN_NOISY, list), kept = 0;
    bool all = pos_in_check(&q->pos);
    for (int i = 0; i < count; i++)
        if (all || !level_overlooks(&q->traits, q->seed, &q->pos, list[i], last_to, ply))
            out[kept++] = (OrderedMove){list[i], order_of(&q->pos, list[i])};
    return kept;
}

static Score quiesce(LevelQuiesce *q, Score alpha, Score beta, int ply, int left, Square last_to);

static Score value_of(LevelQuiesce *q, Move m, Score alpha, Score beta, int ply, int left)
{
    Undo undo;
    eval_push(q->eval, &q->pos, m);
    pos_make(&q->pos, m, &undo);
    q->nodes++;
    Square taken = q->pos.st.captured == NO_PIECE ? SQ_NONE : move_to(m);
    Score v = -quiesce(q, -beta, -alpha, ply + 1, left - 1, taken);
    pos_unmake(&q->pos, m, &undo);
    eval_pop(q->eval);
    return v;
}

static Score quiesce(LevelQuiesce *q, Score alpha, Score beta, int ply, int left, Square last_to)
{
    bool evade = pos_in_check(&q->pos) && left > QUIESCE_PLIES - EVASION_PLIES;
    if (pos_in_check(&q->pos) && !movegen_any(&q->pos))
        return score_mated_in(ply);
    Score best = evade ? -SCORE_INFINITE : evaluate(q);
    if (left == 0 || best >= beta)
        return evade ? evaluate(q) : best;
    OrderedMove moves[MAX_MOVES];
    int count = list_moves(q, evade, ply, last_to, moves);
    for (int i = 0; i < count && best < beta; i++) {
        Move m = pick(moves, i, count);
        if (!evade && !see_at_least(&q->pos, m, 0))
            continue;
        alpha = best > alpha ? best : alpha;
        Score v = value_of(q, m, alpha, beta, ply, left);
        best = v > best ? v : best;
    }
    return best;
}

Score level_quiesce(LevelQuiesce *q, Square last_to)
{
    return quiesce(q, -SCORE_INFINITE, SCORE_INFINITE, 1, QUIESCE_PLIES, last_to);
}
