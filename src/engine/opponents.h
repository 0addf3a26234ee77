/* The registry of all that can be played: Castellan itself, then the programs it descends from. One row each; a new
 * opponent is its OpponentOps with a configuration, and a row in opponents.c. Levels have no row: they are opened with a
 * rating (levels/level.h). */
#ifndef ENGINE_OPPONENTS_H
#define ENGINE_OPPONENTS_H

#include "opponent/opponent.h"

/* The table; row 0 is Castellan itself. */
int opponents_count(void);
const OpponentRow *opponents_at(int index);
const OpponentRow *opponents_find(
    Span name); /* whatever its letters' case; NULL if there is none */

/* STATUS_MISSING, with a message that offers the names near to this one. */
Status opponents_unknown(Span name, Message *why);

#endif
