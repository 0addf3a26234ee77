/* Scores from the view of the side to move, in internal centipawns. The ranges are ordered:
 * evaluations < tablebase wins < mates. */
#ifndef EVAL_SCORE_H
#define EVAL_SCORE_H

#include <stdbool.h>

typedef int Score;

enum {
    MAX_PLY = 246, /* largest ply */
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,                    /* mate on the board */
    SCORE_MATE_MIN = SCORE_MATE - MAX_PLY, /* the longest mate */
    SCORE_TB_WIN = SCORE_MATE_MIN - 1,     /* tablebase win at the root */
    SCORE_TB_MIN = SCORE_TB_WIN - MAX_PLY, /* tablebase win at MAX_PLY */
    SCORE_EVAL_MAX = SCORE_TB_MIN - 1,     /* no evaluation is outside +- this */
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002
};

static inline Score score_mated_in(int ply)
{
    return ply - SCORE_MATE;
}

static inline Score score_mate_in(int ply)
{
    return SCORE_MATE - ply;
}

/* A proven win or loss: mate or tablebase. */
static inline bool score_is_decisive(Score s)
{
    return s >= SCORE_TB_MIN || s <= -SCORE_TB_MIN;
}

static inline bool score_is_mate(Score s)
{
    return s >= SCORE_MATE_MIN || s <= -SCORE_MATE_MIN;
}

static inline bool score_is_win(Score s)
{
    return s >= SCORE_TB_MIN;
}

static inline bool score_is_loss(Score s)
{
    return s <= -SCORE_TB_MIN;
}

/* Clamps a sum of terms to the range of evaluations. */
static inline Score score_clip(int value)
{
    return value > SCORE_EVAL_MAX    ? SCORE_EVAL_MAX
           : value < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX
                                     : value;
}

/* Moves (not plies) to mate as in UCI: positive for the winner, negative for the loser. */
static inline int score_mate_moves(Score s)
{
    return s > 0 ? (SCORE_MATE - s + 1) / 2 : -(SCORE_MATE + s) / 2;
}

#endif
