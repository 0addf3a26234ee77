/* The opponents of a game: they think in the search pool, and a move is played when its player
 * would have played it. An opponent belongs to its job while that thinks. */
#ifndef SERVICE_TURN_INT_H
#define SERVICE_TURN_INT_H

#include "service/board_int.h"

void turn_wake(Service *service, Board *b);   /* lets the opponent think when it is to move */
void turn_cancel(Service *service, Board *b); /* what it thinks is not wanted any more */
/* The game was deleted. A board whose opponent thinks goes when that is done. */
void turn_drop(Service *service, Board *b);

/* Plays replies and ends clocks that are due; `next` is when to come again. */
void turn_run_due(Service *service, Board *b, int64_t now, int64_t *next);
Status turn_agree(Service *service, Board *b, Message *why); /* a draw */
Status turn_offer(Service *service, Board *b, Message *why); /* you offer a draw */

#endif
