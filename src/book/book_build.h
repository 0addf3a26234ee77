/* Building a Polyglot book from games of any number in a fixed amount of memory: tallies are
 * sorted and put aside on disk when the memory is full, and merged at the end.
 *
 * A move's weight is what its games brought the side that played it: 2 for a win, 1 for a draw.
 * Where a position's heaviest move does not fit 16 bits, all its moves are scaled down alike. A
 * move that never brought anything is left out. */
#ifndef BOOK_BOOK_BUILD_H
#define BOOK_BOOK_BUILD_H

#include "base/status.h"
#include "chess/position.h"

#include <stddef.h>

typedef struct BookBuild BookBuild;

enum { BOOK_LOSS = 0, BOOK_DRAW = 1, BOOK_WIN = 2 };

typedef struct BookBuildOptions {
    size_t memory;      /* bytes for the tallies; BOOK_BUILD_LEAST is used where it is less */
    uint32_t min_games; /* a move played in fewer is left out */
} BookBuildOptions;

enum { BOOK_BUILD_LEAST = 64 * 1024 };

typedef struct BookBuildCounts {
    uint64_t entries, positions, runs; /* runs: how often tallies were put aside */
} BookBuildCounts;

/* Begins a book that will be `path`. Its directory takes the temporary files, which have no name:
 * whatever happens, none is left behind. */
Status book_build_begin(BookBuild **build, const char *path, const BookBuildOptions *options,
                        Message *why);

/* A move was played in the position of that Polyglot key, with that outcome for its side. `bits`
 * is the move as book_move_bits has it. */
Status book_build_add(BookBuild *build, Key key, uint16_t bits, int outcome, Message *why);

/* Writes the book: a temporary neighbour, synced and renamed, so that on failure what was there
 * stays. STATUS_MISSING: nothing was left to write. */
Status book_build_finish(BookBuild *build, BookBuildCounts *counts, Message *why);

void book_build_free(BookBuild *build); /* at any time; NULL is fine */

#endif
