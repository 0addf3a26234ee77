/* Opening books in Polyglot's format, read in place. What a book says is checked against the rules
 * each time it is asked: a move that is not legal in the position is as good as not there. */
#ifndef BOOK_BOOK_H
#define BOOK_BOOK_H

#include "base/random.h"
#include "base/status.h"
#include "chess/position.h"

#include <stddef.h>

typedef struct Book Book;

typedef struct BookMove {
    Move move;
    uint16_t weight; /* 0: known, but never to be played */
} BookMove;

/* Maps the file and looks at all of it: a file of the wrong size or order is refused with a message
 * that names the place. */
Status book_open(Book **book, const char *path, Message *why);

/* The small book inside the program. */
Status book_open_own(Book **book, Message *why);

/* By the name a user gives: "" or "own" for the one inside, "system" for the one that the system brought
 * along, or a file. */
Status book_open_named(Book **book, const char *name, Message *why);
void book_close(Book *book); /* NULL is fine */

size_t book_size(const Book *book); /* entries */

/* The legal moves that the book knows in the position, in its order; how many there are. */
int book_probe(const Book *book, const Position *p, BookMove out[MAX_MOVES]);

/* The heaviest of the moves (the first of equals), or one by chance, each as likely as its weight
 * says. MOVE_NONE when there is none with a weight. */
Move book_best(const BookMove *moves, int count);
Move book_random(const BookMove *moves, int count, Random *random);

/* The book that the system brought along, where there is one; else NULL. */
const char *book_of_system(void);

/* A move as the format writes it, and back: MOVE_NONE when that is not a legal move here. Castling
 * is the king taking its rook in both. */
uint16_t book_move_bits(Move m);
Move book_move_from_bits(const Position *p, uint16_t bits);

#endif
