/* What Kanji's program prints while it plays: every move as its library's number with the FEN
 * behind it, the value of the program's move, and the count of nodes. The document's person moves
 * with the mouse; here moves are typed, "e1f1". */
#ifndef CLASSICS_KANJI_CONSOLE_H
#define CLASSICS_KANJI_CONSOLE_H

#include "classics/console.h"

extern const ConsoleOps kanji_console;

/* The library's number of a move: from + 64 * to + 4096 * kind, and the sign bit of 16 for
 * captures. Squares from a1; kinds: 1 ordinary, 2 to 5 a promotion to knight ... queen, 6 en
 * passant, 7 castling (which is no capture). */
int kanji_move_number(const Position *before, Move m);

#endif
