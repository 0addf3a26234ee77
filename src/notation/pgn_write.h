/* A game as PGN in export format: the Seven Tag Roster first and always, the other tags in ASCII
 * order, moves in exact SAN, lines shorter than 80 columns, the result, an empty line. */
#ifndef NOTATION_PGN_WRITE_H
#define NOTATION_PGN_WRITE_H

#include "notation/game.h"

/* Adds the game to `out`. Fails only for lack of memory. */
Status pgn_write(const Game *g, Text *out, Message *why);

#endif
