/* The adaptive program (2011): alpha-beta over two plies, and four weights. It takes a draw when it
 * stands worse. */
#ifndef CLASSICS_ADAPTIVE_H
#define CLASSICS_ADAPTIVE_H

#include "classics/adaptive/adaptive_eval.h"
#include "opponent/opponent.h"

/* Settings: weights (original, evolved, or a file that `castellan evolve --weights` writes), depth
 * (default 2). */
extern const OpponentOps adaptive_ops;

/* The weights that an opponent of this kind looks further than one ply with. */
void adaptive_weights(const Opponent *o, int weights[ADAPTIVE_WEIGHTS]);

/* Puts moves in the order in which the original tried them: the first of several best ones is
 * played. */
void adaptive_order(const Position *p, Move *moves, int count);

#endif
