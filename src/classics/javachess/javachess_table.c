#include "classics/javachess/javachess_table.h"

#include <stddef.h>

enum { SIZE = 1 << JAVACHESS_TABLE_BITS };

static Key lock_of(Key key)
{
    return key >> JAVACHESS_TABLE_BITS;
}

const JavaChessEntry *javachess_table_find(const JavaChessTable *t, Key key)
{
    const JavaChessEntry *e = &t->at[key % SIZE];
    return e->bound != JAVACHESS_NO_BOUND && e->lock == lock_of(key) ? e : NULL;
}

void javachess_table_keep(JavaChessTable *t, Key key, const JavaChessEntry *entry)
{
    JavaChessEntry *old = &t->at[key % SIZE];
    if (old->bound != JAVACHESS_NO_BOUND && old->depth > entry->depth && old->stamp >= entry->stamp)
        return;
    *old = *entry;
    old->lock = lock_of(key);
}
