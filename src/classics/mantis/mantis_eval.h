/* The evaluations of Chess Mantis (2008), from the one that counts material to the full one; each
 * has the terms of the one before. Marmoset, which answers at random, has none.
 *
 * Decided here, where the document leaves it open: a piece that reaches both rings around the king
 * counts for the nearer one alone; a king counts as castled while it stands on its first rank where
 * castling leads to or nearer to the corner, has no right to castle left and no rook of its own
 * shut in behind it. */
#ifndef CLASSICS_MANTIS_EVAL_H
#define CLASSICS_MANTIS_EVAL_H

#include "classics/classic_eval.h"

extern const ClassicEval capuchin_evaluator, sifaka_evaluator, macaque_evaluator, mantis_evaluator;

#endif
