/* The evaluation of JavaChess (2001): material as CHESS 4.5 counted it, and small terms for pawns,
 * bishops, rooks, development, castling and nearness to the enemy king. The original scored the
 * small terms for the searching side alone; here both sides have them.
 *
 * The document leaves open when a king has castled, because a position does not record it: see
 * classic_eval_has_castled. Of several passed pawns on a file the foremost counts. The value is
 * rounded down to a multiple of 8, because MTD(f) needs fewer steps over coarse values. */
#ifndef CLASSICS_JAVACHESS_EVAL_H
#define CLASSICS_JAVACHESS_EVAL_H

#include "classics/classic_eval.h"

extern const ClassicEval javachess_evaluator;

/* Material alone, for the side to move, rounded as the whole is. */
Score javachess_quick(const Position *p, const int *weights);

#endif
