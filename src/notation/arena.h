/* Memory that is given back all at once: the nodes and texts of a game tree. */
#ifndef NOTATION_ARENA_H
#define NOTATION_ARENA_H

#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
    ArenaBlock *blocks; /* the newest first */
    size_t used;        /* of the newest */
    size_t total;       /* bytes held by all */
    size_t limit;       /* `total` never grows past it: a hostile file cannot take all there is */
} Arena;

void arena_init(Arena *a, size_t limit);
void arena_free(Arena *a);  /* everything; the arena can be used again */
void arena_reset(Arena *a); /* everything but one block, to fill again without asking for memory */

/* `bytes` set to zero, aligned for any type; NULL when memory or the limit runs out. */
void *arena_take(Arena *a, size_t bytes);

/* A copy with a zero behind it. */
char *arena_copy(Arena *a, const char *text, size_t len);

#endif
