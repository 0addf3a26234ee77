/* How strong the person at the board is: what an opponent that adapts follows from game to game. */
#ifndef TERM_RATING_H
#define TERM_RATING_H

#include "base/status.h"

/* The level for the next game, `offset` above the person of that name. `path` is the file of
 * players. A damaged file is put aside: the message tells, and the level is a newcomer's. */
Status rating_level(const char *path, const char *person, int offset, int *elo, Message *why);

/* A game against that level is over: 1, 0.5 or 0 for the person. */
Status rating_result(const char *path, const char *person, int elo, double score, Message *why);

#endif
