/* From PGN to a game tree. */
#ifndef NOTATION_GAME_READ_H
#define NOTATION_GAME_READ_H

#include "notation/game.h"
#include "notation/pgn_reader.h"

/* Reads the next game into g, which is cleared first. Returns as pgn_next does; after anything but
 * STATUS_OK the game is empty. */
Status game_read(Game *g, PgnReader *r, Message *why);

#endif
