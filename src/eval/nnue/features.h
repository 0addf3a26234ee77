/* What the net sees: for each side 768 inputs, one for every (own or enemy piece, square) as that
 * side looks at the board. When the side's king stands on the files e to h the board is mirrored, so
 * that the king is always on the left half: what is learnt on one wing holds on the other. The
 * trainer and the engine both take their inputs from here. */
#ifndef EVAL_NNUE_FEATURES_H
#define EVAL_NNUE_FEATURES_H

#include "chess/types.h"

enum { FEATURE_COUNT = 768, FEATURE_MAX_ACTIVE = 32 };

/* True when the view of a side whose king stands on that square is mirrored. */
static inline bool feature_mirrored(Square king)
{
    return (king & 4) != 0;
}

/* The input that `piece` on `s` switches on in the view of `side`. */
static inline int feature_index(Color side, bool mirrored, Piece piece, Square s)
{
    int square = s ^ (side * 56) ^ (mirrored * 7);
    int enemy = piece_color(piece) != side;
    return (enemy * PIECE_TYPE_COUNT + (int)piece_type(piece)) * SQUARE_COUNT + square;
}

/* The output weights for a number of men on the board, kings included: eight buckets of four. */
static inline int feature_bucket(int buckets, int men)
{
    return buckets == 1 ? 0 : (men - 2) / 4;
}

#endif
