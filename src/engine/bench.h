/* The bench signature: the number of nodes for fixed positions. A different number means that the
 * search or the evaluation changed. */
#ifndef ENGINE_BENCH_H
#define ENGINE_BENCH_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdint.h>

enum { BENCH_DEPTH = 13, BENCH_MAX_DEPTH = 60, BENCH_HASH_MB = 16 };

typedef struct BenchTotal {
    uint64_t nodes, nps;
    int64_t time_us;
} BenchTotal;

int bench_count(void);
const char *bench_fen(int i);

/* Searches every position to `depth` with one thread and a cleared TT, with an evaluation as named
 * for evaluator_find: "default" for the signature. `each`, when given, is called after every
 * position. STATUS_STOPPED when *stop (may be NULL) was set meanwhile. */
Status bench_run(const char *evaluation, int depth, const atomic_bool *stop,
                 void (*each)(void *user, int i, const char *fen, uint64_t nodes), void *user,
                 BenchTotal *total, Message *why);

#endif
