/* What the files of this folder share about positions, and nobody else needs. */
#ifndef CHESS_POSITION_INT_H
#define CHESS_POSITION_INT_H

#include "chess/setup.h"

/* Builds p from a setup already known to be possible: bitboards, keys, castling geometry, checks,
 * pins; drops an en-passant square where no capture is legal. */
void pos_build(Position *p, const Setup *s);

#endif
