/* JavaChess, a student's project of 2001 at Concordia University, as an opponent. Two minds share its search: the one the
 * game used (a book, then MTD(f) until an iteration has cost its budget of nodes), and plain alpha-beta to a fixed
 * depth. Both resign when they see that they will be mated within three moves, and show how.
 *
 * A depth, a number of nodes, a time for the move or an endless search replace its own effort; a clock only cuts it short. */
#ifndef CLASSICS_JAVACHESS_H
#define CLASSICS_JAVACHESS_H

#include "opponent/opponent.h"

typedef struct JavaChessSetup {
    bool mtdf;       /* with the book; else alpha-beta, without it */
    int depth;       /* the last iteration; for alpha-beta the only one */
    uint64_t budget; /* nodes: the iteration that passes them is the last one. 0: none */
} JavaChessSetup;

extern const OpponentOps javachess_ops;
extern const JavaChessSetup javachess_by_mtdf, javachess_by_alphabeta;

#endif
