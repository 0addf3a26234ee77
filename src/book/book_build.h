/* Builds a Polyglot book from any number of games in a fixed amount of memory: tallies are sorted
 * and written to disk when the memory is full, and merged at the end.
 *
 * The weight of a move is the points of the side that played it: 2 for a win, 1 for a draw. Where
 * the largest weight of a position does not fit 16 bits, all its moves are scaled down. Moves
 * without points are dropped. */
#ifndef BOOK_BOOK_BUILD_H
#define BOOK_BOOK_BUILD_H

#include "base/status.h"
#include "chess/position.h"

#include <stddef.h>

typedef struct BookBuild BookBuild;

enum { BOOK_LOSS = 0, BOOK_DRAW = 1, BOOK_WIN = 2 };

typedef struct BookBuildOptions {
    size_t memory;      /* bytes for tallies; at least BOOK_BUILD_LEAST */
    uint32_t min_games; /* moves played less often are dropped */
} BookBuildOptions;

enum { BOOK_BUILD_LEAST = 64 * 1024 };

typedef struct BookBuildCounts {
    uint64_t entries, positions, runs; /* runs: how often tallies were written to disk */
} BookBuildCounts;

/* Starts a book to be written to `path`. Its directory holds the temporary files, which have no
 * names: none is left behind. */
Status book_build_begin(BookBuild **build, const char *path, const BookBuildOptions *options,
                        Message *why);

/* Adds a move played in the position of that Polyglot key, with that outcome for its side. `bits`
 * is the move as in book_move_bits. */
Status book_build_add(BookBuild *build, Key key, uint16_t bits, int outcome, Message *why);

/* Writes the book to a temporary file, syncs and renames it: on failure the old file stays.
 * STATUS_MISSING: no move qualifies. */
Status book_build_finish(BookBuild *build, BookBuildCounts *counts, Message *why);

void book_build_free(BookBuild *build); /* at any time; NULL is allowed */

#endif
