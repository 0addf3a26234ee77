/* The evaluation of the adaptive program (2011): material, mobility, development and centre, each
 * with one weight. Its pawn is a hundredth of the material's weight here, so that the other
 * programs' figures can be laid beside it; the ratios are the original's.
 *
 * A piece has left home when its first square no longer holds it (or its like); one that was taken
 * at home counts too, since a position does not record it. */
#ifndef CLASSICS_ADAPTIVE_EVAL_H
#define CLASSICS_ADAPTIVE_EVAL_H

#include "classics/classic_eval.h"

enum { ADAPTIVE_WEIGHTS = 4 }; /* material, mobility, development, centre */

extern const ClassicEval adaptive_evaluator;

/* What the terms count for one side: material without the king, moves, pieces that have left home,
 * centre. */
void adaptive_count(const Position *p, Color c, int counts[ADAPTIVE_WEIGHTS]);

#endif
