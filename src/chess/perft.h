/* Perft: counts the leaves of the tree of legal moves. */
#ifndef CHESS_PERFT_H
#define CHESS_PERFT_H

#include "base/status.h"
#include "chess/position.h"

typedef struct PerftOptions {
    int threads;      /* 1 or more: root moves are shared out */
    unsigned hash_mb; /* 0: none */
} PerftOptions;

/* Leaves at `depth` plies (1 for depth 0). */
uint64_t perft(Position *p, int depth);

/* The same with a hash table and several threads; `each`, when given, is called for every root move
 * in generation order. */
Status perft_run(const Position *p, int depth, PerftOptions options,
                 void (*each)(void *user, Move m, uint64_t nodes), void *user, uint64_t *total,
                 Message *why);

#endif
