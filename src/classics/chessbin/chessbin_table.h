/* ChessBin's transposition table. An entry has a position's hash, the depth that was left, the
 * score, the type of the score, and the flag Ancient: an entry that a look-up has used is not
 * ancient and is not replaced; after every search all entries become ancient again. A position has
 * one place, its hash modulo the size.
 *
 * The guide leaves the size open: 65,536 entries here. */
#ifndef CLASSICS_CHESSBIN_TABLE_H
#define CLASSICS_CHESSBIN_TABLE_H

#include "chess/types.h"

#include <stdbool.h>
#include <stdint.h>

enum { CHESSBIN_TABLE_SIZE = 1 << 16 };

typedef enum ChessBinNode {
    CHESSBIN_EMPTY,
    CHESSBIN_EXACT,
    CHESSBIN_ALPHA, /* at most the score */
    CHESSBIN_BETA   /* at least the score */
} ChessBinNode;

typedef struct ChessBinEntry {
    Key hash;
    int score;
    uint8_t depth;
    uint8_t node; /* ChessBinNode */
    bool ancient;
} ChessBinEntry;

/* All zeros: empty. */
typedef struct ChessBinTable {
    ChessBinEntry at[CHESSBIN_TABLE_SIZE];
} ChessBinTable;

void chessbin_table_end_search(ChessBinTable *t); /* every entry becomes ancient */

/* The score for the window when the entry of that hash and depth decides it. */
bool chessbin_table_find(ChessBinTable *t, Key hash, int depth, int alpha, int beta, int *score);

/* Stores an entry, unless its place holds one that is not ancient. */
void chessbin_table_store(ChessBinTable *t, Key hash, int depth, int score, ChessBinNode node);

/* The entry in the place of that hash, whatever its hash is. */
const ChessBinEntry *chessbin_table_place(const ChessBinTable *t, Key hash);

#endif
