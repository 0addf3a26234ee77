/* Tests shared by the generator and by legality of moves from elsewhere. */
#ifndef CHESS_LEGAL_INT_H
#define CHESS_LEGAL_INT_H

#include "chess/position.h"

/* True when the side may castle on that wing now. */
bool castling_is_possible(const Position *p, Color us, Wing w);

/* True when the pawn on `from`, which attacks the en-passant square `to`, may take there without
 * leaving its king attacked. */
bool ep_is_legal(const Position *p, Square from, Square to);

#endif
