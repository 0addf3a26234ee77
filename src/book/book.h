/* Opening books in Polyglot format, read in place. Moves of a book are checked in the position:
 * illegal ones are ignored. */
#ifndef BOOK_BOOK_H
#define BOOK_BOOK_H

#include "base/random.h"
#include "base/status.h"
#include "chess/position.h"

#include <stddef.h>

typedef struct Book Book;

typedef struct BookMove {
    Move move;
    uint16_t weight; /* 0: known, but not played */
} BookMove;

/* Maps the file and checks all of it: a wrong size or order is an error. */
Status book_open(Book **book, const char *path, Message *why);

/* The embedded book. */
Status book_open_own(Book **book, Message *why);

/* By name: "" or "own" for the embedded book, "system" for the book of the operating system, or a
 * file. */
Status book_open_named(Book **book, const char *name, Message *why);
void book_close(Book *book); /* NULL is allowed */

size_t book_size(const Book *book); /* entries */

/* The legal moves of the book in the position, in its order; returns their number. */
int book_probe(const Book *book, const Position *p, BookMove out[MAX_MOVES]);

/* A move with probability proportional to its weight. MOVE_NONE when no move has a
 * weight. */
Move book_random(const BookMove *moves, int count, Random *random);

/* The book of the operating system; NULL when there is none. */
const char *book_of_system(void);

/* A move in the encoding of the format, and back: MOVE_NONE when it is not legal here. Castling is
 * king takes rook in both. */
uint16_t book_move_bits(Move m);
Move book_move_from_bits(const Position *p, uint16_t bits);

#endif
