/* Shared by the files of this folder. */
#ifndef CHESS_POSITION_INT_H
#define CHESS_POSITION_INT_H

#include "chess/setup.h"

/* Builds p from a checked setup: bitboards, keys, castling geometry, checks, pins; drops an
 * en-passant square where no capture is legal. */
void pos_build(Position *p, const Setup *s);

/* True when the side may castle on that wing now. */
bool castling_is_possible(const Position *p, Color us, Wing w);

/* True when the pawn on `from` may capture en passant on `to` without leaving its king in check. */
bool ep_is_legal(const Position *p, Square from, Square to);

/* Part of chess_init(): fills the table of reversible moves; needs attacks and keys. */
void draw_init(void);

#endif
