/* Positions and evaluations as plain text. */
#ifndef ENGINE_SHOW_H
#define ENGINE_SHOW_H

#include "base/text.h"
#include "chess/position.h"
#include "eval/eval.h"

/* The square in a row and column of the board, from the upper left, as that side sees it. */
Square show_square(Color seen_from, int row, int column);

/* The board with coordinates, seen from that side. */
void show_board(const Position *p, Color seen_from, Text *out);

/* The board, the FEN, the key, and the checkers. */
void show_position(const Position *p, Text *out);

/* The value of the position, and a board with the contribution of each piece: how much the value
 * changes when it is removed. From White's view. */
void show_eval(const Evaluator *evaluator, const Position *p, Text *out);

#endif
