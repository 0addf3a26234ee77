/* JavaChess, a student's project of 2001 at Concordia University, as an opponent. Two agents share
 * its search: the one the game used (a book, then MTD(f) until an iteration has cost its budget of
 * nodes), and plain alpha-beta to a fixed depth. Both resign when they see that they will be mated
 * within three moves, and show how.
 *
 * A depth, a number of nodes, a time for the move or an endless search replace its own effort; a
 * clock only cuts it short. */
#ifndef CLASSICS_JAVACHESS_H
#define CLASSICS_JAVACHESS_H

#include "opponent/opponent.h"

/* Settings: agent (mtdf, alphabeta), book (ruy-lopez, none, or files with "+" between: the first
 * that knows a position decides; alphabeta asks none), position (a position file that games begin
 * with), trainer (off, on: the console asks for moves of the books, and the program plays from any
 * of them). */
extern const OpponentOps javachess_ops;

enum { JAVACHESS_MAX_BOOKS = 8 };

/* The different moves of the books of an opponent of these ops; returns how many, -1 when it does
 * not train. */
int javachess_lesson(const Opponent *o, const Position *p, Move moves[JAVACHESS_MAX_BOOKS]);

#endif
