/* ChessBin, the program of a guide to writing one (2008 to 2016), as an opponent. It evaluates
 * every move once, sorts them by that, takes a mate in one when there is one, and searches to the
 * depth of its level.
 *
 * A depth, a number of nodes or an endless search replace the level's depth; a time, of a move or
 * of a clock, only cuts it short, and the search then goes deeper by steps to have a
 * move in hand. */
#ifndef CLASSICS_CHESSBIN_H
#define CLASSICS_CHESSBIN_H

#include "opponent/opponent.h"

/* Settings: level (medium 6 plies, hard 7), ordering (light, full), table (on, off). */
extern const OpponentOps chessbin_ops;

#endif
