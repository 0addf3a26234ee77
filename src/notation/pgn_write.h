/* PGN export format: the Seven Tag Roster first, the other tags in ASCII order, moves in exact SAN,
 * lines shorter than 80 columns, the result, an empty line. */
#ifndef NOTATION_PGN_WRITE_H
#define NOTATION_PGN_WRITE_H

#include "notation/game.h"

/* Appends the game to `out`. Fails only when memory runs out. */
Status pgn_write(const Game *g, Text *out, Message *why);

#endif
