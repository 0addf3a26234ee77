/* What JavaChess remembers of its searches: 2^17 positions, found by the low bits of their key and
 * distinguished by a lock, which is made of the other bits and so independent of the place. */
#ifndef CLASSICS_JAVACHESS_TABLE_H
#define CLASSICS_JAVACHESS_TABLE_H

#include "chess/types.h"

#include <stdint.h>

enum { JAVACHESS_TABLE_BITS = 17 };

typedef enum JavaChessBound {
    JAVACHESS_NO_BOUND, /* an empty entry */
    JAVACHESS_UPPER,
    JAVACHESS_LOWER,
    JAVACHESS_EXACT
} JavaChessBound;

typedef struct JavaChessEntry {
    Key lock;
    int value; /* mates counted from this position */
    unsigned stamp;
    Move move; /* only to show the continuation: the original ordered its moves without it */
    uint8_t depth;
    uint8_t bound; /* JavaChessBound */
} JavaChessEntry;

/* All zeros: empty. */
typedef struct JavaChessTable {
    JavaChessEntry at[1 << JAVACHESS_TABLE_BITS];
} JavaChessTable;

/* The entry of that position, or NULL. */
const JavaChessEntry *javachess_table_find(const JavaChessTable *t, Key key);

/* Keeps an entry (its lock is made from the key) unless the one in its place is deeper and not
 * older. */
void javachess_table_keep(JavaChessTable *t, Key key, const JavaChessEntry *entry);

#endif
