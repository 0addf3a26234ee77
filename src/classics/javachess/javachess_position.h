/* The position files of JavaChess: text, in words, whatever their letters' case. Who is to move
 * (WHITE or BLACK), how many pieces there are, each of them (WP 48: a white pawn on a2; a8 is 0, h1
 * is 63), four times TRUE or FALSE for castling (white king side, black king side, white queen
 * side, black queen side), and the en-passant square as a board of bits, written as a number, 0 for
 * none. Counters of moves are not in it.
 *
 * The original notes the square after every double step. A Position keeps it only beside a pawn
 * that could capture, so the square goes in and out apart from it. */
#ifndef CLASSICS_JAVACHESS_POSITION_H
#define CLASSICS_JAVACHESS_POSITION_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

/* On failure *p is untouched and the message names the offending word. The position must be
 * possible. *ep, when it is wanted, is the en passant square as written, SQ_NONE if
 * there is none. */
Status javachess_position_read(Position *p, Square *ep, Span text, Message *why);
Status javachess_position_load(Position *p, Square *ep, const char *path, Message *why);

/* Refused for Chess960 rights, which the format cannot express. `ep` as above. */
Status javachess_position_write(const Position *p, Square ep, Text *out, Message *why);
Status javachess_position_save(const Position *p, Square ep, const char *path, Message *why);

#endif
