/* What nearly all tests begin with: the tables of the rules, and positions from their FENs. */
#ifndef TESTS_POSITIONS_H
#define TESTS_POSITIONS_H

#include "chess/position.h"
#include "eval/nnue/features.h"

/* The set-up of a group of tests. */
int init_chess(void **state);

/* Fails the test when the FEN is refused. */
Position position_of(const char *fen);

/* Writes the inputs of a net that are on in the view of `side`, and returns how many. */
int inputs_of(const Position *p, int king_buckets, Color side, uint16_t out[FEATURE_MAX_ACTIVE]);

#endif
