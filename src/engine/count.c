#include "engine/count.h"

#include "base/thread.h"
#include "chess/movegen.h"
#include "chess/perft.h"

/* Trees of this depth are counted without checking the flag: about ten milliseconds. */
enum { UNWATCHED_DEPTH = 4 };

static uint64_t count_watched(Position *p, int depth, const atomic_bool *stop)
{
    if (depth <= UNWATCHED_DEPTH)
        return perft(p, depth);
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    uint64_t total = 0;
    for (int i = 0; i < count && !atomic_load_explicit(stop, memory_order_relaxed); i++) {
        Undo undo;
        pos_make(p, moves[i], &undo);
        total += count_watched(p, depth - 1, stop);
        thread_yield();
        pos_unmake(p, moves[i], &undo);
    }
    return total;
}

bool count_leaves(const Position *from, int depth, const atomic_bool *stop,
                  void (*each)(void *user, const Position *root, Move m, uint64_t leaves),
                  void *user, uint64_t *total)
{
    Position p = *from;
    Move moves[MAX_MOVES];
    int count = movegen(&p, GEN_ALL, moves);
    *total = depth > 0 ? 0 : 1;
    for (int i = 0; i < count && depth > 0; i++) {
        Undo undo;
        pos_make(&p, moves[i], &undo);
        uint64_t leaves = count_watched(&p, depth - 1, stop);
        pos_unmake(&p, moves[i], &undo);
        if (atomic_load(stop))
            return false;
        each(user, from, moves[i], leaves);
        *total += leaves;
    }
    return true;
}
