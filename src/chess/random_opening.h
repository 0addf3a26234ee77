/* Openings of random moves: for matches, training games, evolution and genfens. The caller says
 * which start positions are used and which results are balanced enough. */
#ifndef CHESS_RANDOM_OPENING_H
#define CHESS_RANDOM_OPENING_H

#include "base/random.h"
#include "chess/position.h"

enum { RANDOM_OPENING_PLIES = 16 }; /* at most */

typedef struct RandomOpeningRules {
    int plies;
    bool vary_side; /* one ply more in half of the cases, so that either side is to move */
    int max_tries;  /* 0: no limit */
    /* Sets the position to start from; false: try again. NULL: the usual start position. */
    bool (*start)(void *user, Random *r, Position *p);
    bool (*accept)(void *user, const Position *p); /* the final position has a legal move */
    void *user;
} RandomOpeningRules;

typedef struct RandomOpening {
    Position start, end;
    Move moves[RANDOM_OPENING_PLIES];
    int count;
} RandomOpening;

/* Tries until an opening is accepted; false after max_tries. The same random numbers give the same
 * opening. */
bool random_opening_make(const RandomOpeningRules *rules, Random *r, RandomOpening *out);

#endif
