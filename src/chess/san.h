/* Standard algebraic notation (SAN). */
#ifndef CHESS_SAN_H
#define CHESS_SAN_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

enum { SAN_SIZE = 16 };

/* Exact SAN of a legal move: least disambiguation, =Q, + and #. "--" for the null move. */
void san_write(const Position *p, Move m, char out[SAN_SIZE]);

/* Reads a move in SAN, leniently: missing or superfluous x, +, #, = and disambiguation, 0-0 with
 * zeros, e.p., long forms (e2-e4, Ng1xf3), annotations (!, ?), UCI moves, lower-case piece letters
 * where unambiguous. "--", "Z0", "null" and "@@@@" give MOVE_NULL. The message names the text and
 * whether it is no move, illegal, or ambiguous. */
Status san_read(const Position *p, Span text, Move *out, Message *why);

#endif
