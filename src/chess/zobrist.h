/* Zobrist keys: random numbers, filled by chess_init(), the same on every machine. */
#ifndef CHESS_ZOBRIST_H
#define CHESS_ZOBRIST_H

#include "chess/types.h"

typedef struct Zobrist {
    Key piece[PIECE_COUNT][SQUARE_COUNT];
    Key castling[CASTLING_ALL + 1];
    Key ep_file[8];
    Key side;
} Zobrist;

extern Zobrist zobrist;

void zobrist_init(void);

#endif
