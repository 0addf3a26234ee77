/* Strictly legal move generation: check and pin masks, no make-and-test. */
#ifndef CHESS_MOVEGEN_H
#define CHESS_MOVEGEN_H

#include "chess/position.h"

typedef enum GenKind {
    GEN_NOISY, /* captures and every promotion */
    GEN_QUIET, /* the rest, castling included */
    GEN_ALL
} GenKind;

/* Writes the legal moves of that kind (at most MAX_MOVES) and returns how many. */
int movegen(const Position *p, GenKind kind, Move *out);

/* How many legal moves there are: faster than writing them. */
int movegen_count(const Position *p);

/* True when there is at least one legal move. */
bool movegen_any(const Position *p);

/* True when a legal move mates. */
bool movegen_mates(const Position *p, Move m);

/* Puts the moves in the order of their ranks, the highest first; equals stay as they are. */
void movegen_sort(Move *moves, int *ranks, int count);

#endif
