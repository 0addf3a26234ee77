/* The Polyglot format. An entry is 16 bytes, big-endian: key (8), move (2), weight (2), learn (4,
 * not used). Entries are sorted by key. A move is to | from << 6 | promotion << 12 (knight 1 ...
 * queen 4). */
#ifndef BOOK_BOOK_INT_H
#define BOOK_BOOK_INT_H

#include <stdint.h>

enum { BOOK_ENTRY_SIZE = 16, BOOK_AT_MOVE = 8, BOOK_AT_WEIGHT = 10, BOOK_MAX_WEIGHT = 65535 };

static inline void book_put(uint8_t *at, int bytes, uint64_t v)
{
    for (int i = bytes - 1; i >= 0; i--, v >>= 8)
        at[i] = (uint8_t)v;
}

static inline uint64_t book_get(const uint8_t *at, int bytes)
{
    uint64_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | at[i];
    return v;
}

#endif
