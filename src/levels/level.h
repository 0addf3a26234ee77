/* Levels of human strength: an opponent that is opened with an Elo. Between the least and the most, every level
 * is stronger than those below; full strength is Castellan itself and no level.
 *
 * A level is weak the way people are. It looks at a tree with holes: a move is overlooked the more easily the
 * deeper it lies, the quieter, the farther and the more backward it is, its own moves as well as the replies
 * that refute them (level_notice.c). Captures of what hangs and recaptures are seen first. Nothing is thrown
 * away at random: whatever it plays looked best to it. docs/RATINGS.md has the measured strengths.
 *
 * A move costs little: some thousand positions up to 1600; above, where Castellan's own search looks first, from 6,000
 * nodes to 1.4 million at the top (level_traits.c). One opponent needs half a megabyte up to 1600, and some megabytes above. */
#ifndef LEVELS_LEVEL_H
#define LEVELS_LEVEL_H

#include "opponent/opponent.h"

enum { LEVEL_MIN_ELO = 400, LEVEL_MAX_ELO = 3000 };

typedef struct LevelSetup {
    int elo; /* LEVEL_MIN_ELO to LEVEL_MAX_ELO */
} LevelSetup;

/* Its setup is a const LevelSetup *, read when it is opened. */
extern const OpponentOps level_ops;

#endif
