/* What nearly all tests begin with: the tables of the rules, and positions from their FENs. */
#ifndef TESTS_POSITIONS_H
#define TESTS_POSITIONS_H

#include "chess/position.h"

/* The set-up of a group of tests. */
int init_chess(void **state);

/* Fails the test when the FEN is refused. */
Position position_of(const char *fen);

#endif
