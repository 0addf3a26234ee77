/* A position as described by a user or file, before it is checked. */
#ifndef CHESS_SETUP_H
#define CHESS_SETUP_H

#include "base/status.h"
#include "chess/position.h"

/* Larger counters are refused: moves made from there must not overflow the counters
 * of a Position. */
enum { SETUP_HALFMOVES_MAX = 1000, SETUP_FULLMOVE_MAX = 1000000000 };

typedef struct Setup {
    Piece board[SQUARE_COUNT]; /* NO_PIECE where empty */
    Color side;
    Square castling_rook[CASTLING_COUNT]; /* SQ_NONE: no such right */
    Square ep;                            /* as given; SQ_NONE if none */
    int rule50;                           /* 0 ... SETUP_HALFMOVES_MAX */
    int fullmove;                         /* 1 ... SETUP_FULLMOVE_MAX */
    bool chess960;
} Setup;

/* An empty board, White to move, no rights. */
void setup_clear(Setup *s);

/* Checks that the position is possible (one king each, no pawns on the first and last rank, at most
 * 8 pawns and 16 pieces with promotions accounted for, the side that moved not in check, at most
 * two checkers and possible ones, rights that fit kings and rooks, en passant that fits a double
 * step) and builds it. The message names the field and the offending text. An en-passant square
 * where no capture is legal is dropped. On failure *p is unchanged. */
Status pos_set(Position *p, const Setup *s, Message *why);

/* The inverse: the setup that pos_set would build p from (without its history). */
void pos_describe(const Position *p, Setup *s);

#endif
