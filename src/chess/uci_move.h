/* Moves in UCI notation. */
#ifndef CHESS_UCI_MOVE_H
#define CHESS_UCI_MOVE_H

#include "base/text.h"
#include "chess/position.h"

enum { UCI_MOVE_SIZE = 8 };

/* "e2e4", "e7e8q", "0000" for the null move. Castling is e1g1, or e1h1 when the position is
 * Chess960. */
void uci_move_write(const Position *p, Move m, char out[UCI_MOVE_SIZE]);

/* The legal move of the text, in either castling style; MOVE_NONE if there is none. */
Move uci_move_read(const Position *p, Span text);

/* Writes the name of a square: two characters and a zero. */
void square_name(Square s, char out[3]);

/* The square that two characters name; SQ_NONE if they name none. */
Square square_read(const char at[2]);

#endif
