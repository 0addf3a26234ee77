/* What a score means in results: a model fitted to own games. */
#ifndef SEARCH_WDL_H
#define SEARCH_WDL_H

#include "chess/position.h"
#include "eval/score.h"

typedef struct Wdl {
    int win, draw, loss; /* permille, sums to 1000 */
} Wdl;

Wdl wdl_of(Score s, const Position *p);

/* Centipawns as GUIs read them: 100 is a 50 % chance to win with the material of p. */
int score_to_cp(Score s, const Position *p);

#endif
