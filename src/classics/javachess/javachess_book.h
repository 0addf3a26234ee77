/* The opening books of JavaChess. A book file is text: how many lines of play there are, then each
 * line from the start position as pairs of squares (a8 is 0, h8 is 7, h1 is 63), ended by END.
 * Castling is the king's step; a pawn that promotes becomes a queen, because the format has no way
 * to say otherwise. */
#ifndef CLASSICS_JAVACHESS_BOOK_H
#define CLASSICS_JAVACHESS_BOOK_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

enum { JAVACHESS_BOOK_MAX_BYTES = 4 << 20 };

typedef struct JavaChessBook JavaChessBook;

typedef struct JavaChessStep {
    Key key; /* of the position it is played in */
    Move move;
} JavaChessStep;

/* Reads the text of a book; an error message names the line of play and the move. */
Status javachess_book_read(JavaChessBook **book, Span text, Message *why);

/* The same from a file. */
Status javachess_book_load(JavaChessBook **book, const char *path, Message *why);

/* The book of the program: 38 moves of the Ruy Lopez. The original's own moves are not known; these
 * are ours. */
Status javachess_book_ruy_lopez(JavaChessBook **book, Message *why);

void javachess_book_close(JavaChessBook *book); /* NULL is fine */

int javachess_book_lines(const JavaChessBook *book);
int javachess_book_size(const JavaChessBook *book); /* different positions */

/* The steps of one line of play; returns how many. */
int javachess_book_line(const JavaChessBook *book, int line, const JavaChessStep **steps);

/* The move for the position, or MOVE_NONE. Where lines disagree the last one is right, as in the
 * original. */
Move javachess_book_find(const JavaChessBook *book, const Position *p);

#endif
