/* The position files of JavaChess: text, in words, whatever their letters' case. Who is to move (WHITE or BLACK), how many
 * men there are, each of them (WP 48: a white pawn on a2; a8 is 0, h1 is 63), four times TRUE or FALSE for castling (white
 * king side, black king side, white queen side, black queen side), and the en-passant square as a board of bits, written as
 * a number, 0 for none. Counters of moves are not in it. */
#ifndef CLASSICS_JAVACHESS_POSITION_H
#define CLASSICS_JAVACHESS_POSITION_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

/* On failure *p is untouched and the message names the offending word. The position must be possible. */
Status javachess_position_read(Position *p, Span text, Message *why);
Status javachess_position_load(Position *p, const char *path, Message *why);

/* Refused for Chess960 rights, which the format cannot tell. */
Status javachess_position_write(const Position *p, Text *out, Message *why);
Status javachess_position_save(const Position *p, const char *path, Message *why);

#endif
