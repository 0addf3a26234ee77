/* Static exchange evaluation (SEE). */
#ifndef CHESS_SEE_H
#define CHESS_SEE_H

#include "chess/position.h"

/* Piece values for exchanges, in centipawns; 0 for NO_PIECE_TYPE. */
extern const int see_value[PIECE_TYPE_COUNT + 1];

/* True when the exchange that m starts on its target square wins at least `threshold`, both sides
 * capturing with the least valuable piece first and stopping when that is better. */
bool see_at_least(const Position *p, Move m, int threshold);

#endif
