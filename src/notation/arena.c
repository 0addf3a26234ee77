#include "notation/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct ArenaBlock {
    ArenaBlock *next;
    size_t room;
    alignas(max_align_t) char bytes[];
};

enum { BLOCK_ROOM = 16 * 1024 };

void arena_init(Arena *a, size_t limit)
{
    *a = (Arena){.limit = limit};
}

static void free_blocks(ArenaBlock *b)
{
    while (b) {
        ArenaBlock *next = b->next;
        free(b);
        b = next;
    }
}

void arena_free(Arena *a)
{
    free_blocks(a->blocks);
    arena_init(a, a->limit);
}

void arena_reset(Arena *a)
{
    ArenaBlock *keep = a->blocks;
    if (!keep || keep->room > BLOCK_ROOM) {
        arena_free(a);
        return;
    }
    free_blocks(keep->next);
    keep->next = NULL;
    a->used = 0;
    a->total = keep->room;
}

static ArenaBlock *add_block(Arena *a, size_t bytes)
{
    size_t room = bytes > BLOCK_ROOM ? bytes : BLOCK_ROOM;
    if (room > a->limit || a->total > a->limit - room)
        return NULL;
    ArenaBlock *b = malloc(sizeof *b + room);
    if (!b)
        return NULL;
    b->next = a->blocks;
    b->room = room;
    a->blocks = b;
    a->used = 0;
    a->total += room;
    return b;
}

void *arena_take(Arena *a, size_t bytes)
{
    size_t align = alignof(max_align_t);
    if (bytes > a->limit)
        return NULL;
    bytes = (bytes + align - 1) / align * align;
    ArenaBlock *b = a->blocks;
    if (!b || bytes > b->room - a->used)
        b = add_block(a, bytes);
    if (!b)
        return NULL;
    void *at = b->bytes + a->used;
    a->used += bytes;
    return memset(at, 0, bytes);
}

char *arena_copy(Arena *a, const char *text, size_t len)
{
    char *copy = arena_take(a, len + 1);
    if (copy && len)
        memcpy(copy, text, len);
    return copy;
}
