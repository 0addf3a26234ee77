/* A position as a person or a file describes it, before anyone knows whether it is possible. */
#ifndef CHESS_SETUP_H
#define CHESS_SETUP_H

#include "base/status.h"
#include "chess/position.h"

/* Counters beyond these are refused. The rules end a game long before; what matters is that moves made
 * from there do not overflow the counters of a Position. */
enum { SETUP_HALFMOVES_MAX = 1000, SETUP_FULLMOVE_MAX = 1000000000 };

typedef struct Setup {
    Piece board[SQUARE_COUNT]; /* NO_PIECE where empty */
    Color side;
    Square castling_rook[CASTLING_COUNT]; /* SQ_NONE: no such right */
    Square ep;                            /* as told; SQ_NONE if none */
    int rule50;                           /* 0 ... SETUP_HALFMOVES_MAX */
    int fullmove;                         /* 1 ... SETUP_FULLMOVE_MAX */
    bool chess960;
} Setup;

/* An empty board, White to move, no rights. */
void setup_clear(Setup *s);

/* Checks that the position can stand on a board (one king each, no pawns on the end ranks, at most 8
 * pawns and 16 men with promotions accounted for, the side that moved not in check, at most two
 * checkers and possible ones, rights that fit kings and rooks, en passant that fits a double step) and builds it. The message
 * names the field and the offending text. An en-passant square that is possible but where no capture
 * is legal is dropped silently. On failure *p is untouched. */
Status pos_set(Position *p, const Setup *s, Message *why);

/* The inverse: what pos_set would need to build p again (without its history). */
void pos_describe(const Position *p, Setup *s);

#endif
