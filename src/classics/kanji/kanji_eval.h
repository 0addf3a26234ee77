/* The evaluation of the chess program that Kanji described in 2014: material, the piece tables of
 * ChessBin, three terms for pawns, and mobility. The laboratory measures with it, so that its
 * figures can be laid beside the published ones. */
#ifndef CLASSICS_KANJI_EVAL_H
#define CLASSICS_KANJI_EVAL_H

#include "chess/position.h"
#include "classics/classic_eval.h"
#include "eval/score.h"

/* For the side to move, with the original's weights; the position is as before when it returns. */
Score kanji_eval(Position *p);

extern const ClassicEval kanji_evaluator;

/* The document's three utilities, in the order of its chapters. The first draws a number at random:
 * here the position decides which, so that a position is worth the same wherever it turns up. The
 * second is the material of the library that the author used: 100, 300, 325, 500, 900. */
typedef struct KanjiUtility {
    const char *name; /* "random", "material", "late" */
    Score (*score)(Position *p);
} KanjiUtility;

enum { KANJI_UTILITIES = 3 };
extern const KanjiUtility kanji_utilities[KANJI_UTILITIES];

#endif
