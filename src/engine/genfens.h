/* Random balanced start positions for training games, reproducible by seed. */
#ifndef ENGINE_GENFENS_H
#define ENGINE_GENFENS_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct GenfensJob {
    int64_t count;
    uint64_t seed;
    const char *book; /* a file of FEN or EPD lines to start from; NULL or "": the start position */
} GenfensJob;

/* Calls `each` with `count` positions. STATUS_STOPPED when *stop was set meanwhile. */
Status genfens_run(const GenfensJob *job, const atomic_bool *stop,
                   void (*each)(void *user, const char *fen), void *user, Message *why);

#endif
