/* What the parts of evolution share. */
#ifndef TUNE_EVOLVE_INT_H
#define TUNE_EVOLVE_INT_H

#include "base/random.h"
#include "chess/position.h"
#include "tune/evolve.h"

/* Random numbers for one purpose: the same whoever draws them, and when. */
typedef enum EvolvePurpose {
    EVOLVE_BIRTH,
    EVOLVE_PAIRING,
    EVOLVE_MUTATION,
    EVOLVE_OPENING,
    EVOLVE_PROOF
} EvolvePurpose;

Random evolve_random(const EvolveConfig *c, EvolvePurpose purpose, int generation, int number);

/* A position after a few random moves that is about even. */
void evolve_opening(Random *r, Position *out);

/* One game from that position; the points of White in half points, or -1 when *stop ended it. */
int evolve_game(const EvolveConfig *c, const Position *start, const int *white, const int *black,
                const atomic_bool *stop);

/* Adds a generation behind the others, a copy of the last one. */
Status evolve_add(EvolveState *s, Message *why);

#endif
