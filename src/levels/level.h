/* Levels of human strength: an opponent that is opened with an Elo. Every level is stronger than
 * those below; full strength is Castellan itself and not a level.
 *
 * Up to 1800 a level plays from a model of human choice: it knows how likely people of a rating are
 * to play each legal move, plays the likely ones, and errs where people err (human_frame.h). Above,
 * Castellan's search proposes, and some of its moves are overlooked: the deeper, the quieter, the
 * longer and the more backward the easier (level_overlook.c). docs/RATINGS.md has the measured
 * strengths.
 *
 * A move costs up to 26,000 nodes up to level 1800, then from 10,000 to 4 million at the top
 * (level_traits.c). One opponent needs some megabytes, the highest about 20. */
#ifndef LEVELS_LEVEL_H
#define LEVELS_LEVEL_H

#include "opponent/opponent.h"

enum { LEVEL_MIN_ELO = 400, LEVEL_MAX_ELO = 3000 };

typedef struct LevelSetup {
    int elo; /* LEVEL_MIN_ELO to LEVEL_MAX_ELO */
} LevelSetup;

/* Its setup is a const LevelSetup *, read when it is opened. */
extern const OpponentOps level_ops;

enum { LEVEL_LIKE_SIZE = 64, LEVEL_LIKE_MAX = 1800 };

/* Which ratings of two sites the level plays like, in blitz and rapid games: "about 1000 on
 * lichess". Empty above LEVEL_LIKE_MAX, where no games of people were compared. */
void level_plays_like(int elo, char out[LEVEL_LIKE_SIZE]);

#endif
