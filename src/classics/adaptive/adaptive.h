/* The adaptive program (2011): alpha-beta over two plies, and four weights. It takes a draw when it stands
 * worse. */
#ifndef CLASSICS_ADAPTIVE_H
#define CLASSICS_ADAPTIVE_H

#include "classics/adaptive/adaptive_eval.h"
#include "opponent/opponent.h"

/* What is best differs with how far the program looks: after its own move alone, or after an answer too. */
typedef struct AdaptiveSetup {
    int one_ply[ADAPTIVE_WEIGHTS]; /* when the task allows no more */
    int more[ADAPTIVE_WEIGHTS];
} AdaptiveSetup;

extern const OpponentOps adaptive_ops;
extern const AdaptiveSetup adaptive_first;   /* as the program was shipped */
extern const AdaptiveSetup adaptive_evolved; /* bred from those, docs/log/evolution.md */

/* Puts moves in the order in which the original tried them: the first of several best ones is played. */
void adaptive_order(const Position *p, Move *moves, int count);

#endif
