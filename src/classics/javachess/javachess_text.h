/* How JavaChess writes moves, boards and statistics on its console. */
#ifndef CLASSICS_JAVACHESS_TEXT_H
#define CLASSICS_JAVACHESS_TEXT_H

#include "base/text.h"
#include "chess/position.h"
#include "classics/javachess/javachess_search.h"

/* "Move: WP [ 52, 36 ] TYPE: 0\n": the piece, the squares (a8 is 0, h1 is 63) and the type: 1
 * captures, 2 en passant, 4 and 8 castling on the king's and the queen's side; and 32, 64, 128 or
 * 256 more for a promotion to knight ... queen. */
void javachess_move_text(const Position *before, Move m, Text *out);

/* The board: eight rows of squares drawn with bars, and "NEXT MOVE: WHITE". */
void javachess_board_text(const Position *p, Text *out);

/* What was printed after an iteration of MTD(f), four lines; alpha-beta printed the first two. */
void javachess_counts_text(const JavaChessCounts *counts, bool mtdf, Text *out);

#endif
