/* Perft that can be interrupted. */
#ifndef ENGINE_COUNT_H
#define ENGINE_COUNT_H

#include "chess/position.h"

#include <stdatomic.h>

/* Counts the leaves at `depth`; `each` is called for every root move. False when *stop was set
 * before the end (the total is then meaningless). */
bool count_leaves(const Position *p, int depth, const atomic_bool *stop,
                  void (*each)(void *user, const Position *root, Move m, uint64_t leaves),
                  void *user, uint64_t *total);

#endif
