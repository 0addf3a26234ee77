/* The evaluation of ChessBin (2010): every piece has its value, its square, what it attacks and
 * what attacks it; then the pawns by files, check, castling and the side to move.
 *
 * A position does not record what has moved, so a piece counts as moved when it does not stand on a
 * square where a piece of its kind starts; castled is as classic_eval_has_castled has it. Moves are
 * counted without asking whether they would leave the king in check; a king counts only squares
 * that the enemy does not attack, and attacks and defends nothing else.
 *
 * Two slips of the listing are not repeated: White's a-file looks for Black's pawns on the b-file,
 * and Black's pawns neither attack nor defend. */
#ifndef CLASSICS_CHESSBIN_EVAL_H
#define CLASSICS_CHESSBIN_EVAL_H

#include "classics/classic_eval.h"

extern const ClassicEval chessbin_evaluator;

/* The tables of what a piece is worth more or less by its square: one for each type (rooks and
 * queens are worth the same everywhere), and one more for the king in the endgame. */
enum { CHESSBIN_KING_ENDGAME = PIECE_TYPE_COUNT, CHESSBIN_TABLES };

/* In centipawns, for a piece of colour c on s. */
int chessbin_square_value(int table, Color c, Square s);

/* What ChessBin orders its moves by. */
int chessbin_value(PieceType t);        /* of the piece; 32767 for the king */
int chessbin_action_value(PieceType t); /* what its attack or defence of something counts */
bool chessbin_is_unmoved(const Position *p, Square s); /* the piece on s may not have moved yet */

#endif
