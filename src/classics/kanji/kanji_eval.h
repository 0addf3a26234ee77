/* The evaluation of the chess program that Kanji described in 2014: material, the piece tables of
 * ChessBin, three judgements on pawns, and mobility. The laboratory measures with it, so that its
 * figures can be laid beside the published ones. */
#ifndef CLASSICS_KANJI_EVAL_H
#define CLASSICS_KANJI_EVAL_H

#include "chess/position.h"
#include "classics/classic_eval.h"
#include "eval/score.h"

/* For the side to move, with the original's weights; the position is as before when it returns. */
Score kanji_eval(Position *p);

extern const ClassicEval kanji_evaluator;

#endif
