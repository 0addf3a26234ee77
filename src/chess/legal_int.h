/* Shared by the move generator and the legality test. */
#ifndef CHESS_LEGAL_INT_H
#define CHESS_LEGAL_INT_H

#include "chess/position.h"

/* True when the side may castle on that wing now. */
bool castling_is_possible(const Position *p, Color us, Wing w);

/* True when the pawn on `from` may capture en passant on `to` without leaving its king in check. */
bool ep_is_legal(const Position *p, Square from, Square to);

#endif
