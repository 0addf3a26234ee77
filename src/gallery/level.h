/* Levels of human strength: a mind that is opened with an Elo. Between the least and the most, every level
 * is stronger than those below; full strength is Castellan itself and no level. */
#ifndef GALLERY_LEVEL_H
#define GALLERY_LEVEL_H

#include "gallery/opponent.h"

enum { LEVEL_MIN_ELO = 400, LEVEL_MAX_ELO = 3000 };

typedef struct LevelSetup {
    int elo; /* LEVEL_MIN_ELO to LEVEL_MAX_ELO */
} LevelSetup;

/* Its setup is a const LevelSetup *, read when it is opened. */
extern const OpponentMind level_mind;

#endif
