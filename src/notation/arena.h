/* An arena: memory that is freed all at once, for the nodes and texts of a game tree. */
#ifndef NOTATION_ARENA_H
#define NOTATION_ARENA_H

#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
    ArenaBlock *blocks; /* newest first */
    size_t used;        /* of the newest block */
    size_t total;       /* bytes in all blocks */
    size_t limit;       /* limit of `total`, against hostile files */
} Arena;

void arena_init(Arena *a, size_t limit);
void arena_free(Arena *a);  /* frees everything; the arena can be used again */
void arena_reset(Arena *a); /* keeps one block for reuse */

/* `bytes` zeroed bytes, aligned for any type; NULL when memory or the limit is exhausted. */
void *arena_take(Arena *a, size_t bytes);

/* A copy with a terminating zero. */
char *arena_copy(Arena *a, const char *text, size_t len);

#endif
