/* The evaluation of ChessBin (2010): every man has its value, its place, what it attacks and what attacks it; then the
 * pawns by files, check, castling and the move.
 *
 * A position does not tell what has moved, so: a rook has moved when it does not stand in a corner of its first rank, a queen
 * or king when it does not stand where games begin; castled is as classic_eval_has_castled has it. Moves are counted
 * without asking whether they would leave the king in check; a king counts only squares that the enemy does not
 * attack, and attacks and defends nothing else. */
#ifndef CLASSICS_CHESSBIN_EVAL_H
#define CLASSICS_CHESSBIN_EVAL_H

#include "classics/classic_eval.h"

extern const ClassicEval chessbin_evaluator;

/* What ChessBin orders its moves by. */
int chessbin_value(PieceType t);        /* of the man; 0 for the king */
int chessbin_action_value(PieceType t); /* what its attack or defence of something counts */

#endif
