/* Shared by the files of this folder. */
#ifndef CHESS_POSITION_INT_H
#define CHESS_POSITION_INT_H

#include "chess/setup.h"

/* Builds p from a checked setup: bitboards, keys, castling geometry, checks, pins; drops an
 * en-passant square where no capture is legal. */
void pos_build(Position *p, const Setup *s);

#endif
