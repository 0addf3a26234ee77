/* Static exchange evaluation. */
#ifndef CHESS_SEE_H
#define CHESS_SEE_H

#include "chess/position.h"

/* Values of the exchange, in centipawns, by piece type (NO_PIECE_TYPE is worth nothing). */
extern const int see_value[PIECE_TYPE_COUNT + 1];

/* True when the exchange that m starts on its target square wins at least `threshold`, both sides
 * capturing with the least valuable piece first and stopping when it pays. */
bool see_at_least(const Position *p, Move m, int threshold);

#endif
