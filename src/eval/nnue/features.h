/* What the net sees: for each side 768 inputs, one for every (own or enemy piece, square) as that
 * side looks at the board. When the side's king stands on the files e to h the board is mirrored,
 * so that the king is always on the left half: what is learnt on one wing holds on the other. A net
 * may have these inputs several times over, once for each king bucket: a group of squares of the
 * own king. The trainer and the engine both take their inputs from here. */
#ifndef EVAL_NNUE_FEATURES_H
#define EVAL_NNUE_FEATURES_H

#include "chess/types.h"

enum { FEATURE_COUNT = 768, FEATURE_MAX_ACTIVE = 32, KING_BUCKETS_MAX = 16 };

/* True when the view of a side whose king stands on that square is mirrored. */
static inline bool feature_mirrored(Square king)
{
    return (king & 4) != 0;
}

static inline bool feature_king_buckets_fit(int64_t count)
{
    return count == 1 || count == 4 || count == 8 || count == 16;
}

/* The bucket of a king in its own side's view: many buckets on the first two ranks, where kings
 * stand in most positions, few beyond them. Rows are ranks, columns the files a to d. */
static inline int feature_king_bucket(int king_buckets, Color side, Square king)
{
    static const uint8_t four[32] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
                                     3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    static const uint8_t eight[32] = {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6,
                                      7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    static const uint8_t sixteen[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  8,  9,
                                        9,  10, 10, 11, 11, 12, 12, 13, 13, 12, 12,
                                        13, 13, 14, 14, 15, 15, 14, 14, 15, 15};
    int square = king ^ (side * 56) ^ (feature_mirrored(king) * 7);
    int at = (square >> 3) * 4 + (square & 3);
    return king_buckets == 1   ? 0
           : king_buckets == 4 ? four[at]
           : king_buckets == 8 ? eight[at]
                               : sixteen[at];
}

/* How a side sees the board: it depends on where its king stands. */
typedef struct FeatureView {
    uint8_t side;
    uint8_t turn;  /* what its squares are xor-ed with */
    uint16_t base; /* the first input of its king bucket */
} FeatureView;

static inline FeatureView feature_view(int king_buckets, Color side, Square king)
{
    return (FeatureView){
        .side = (uint8_t)side,
        .turn = (uint8_t)(side * 56 ^ feature_mirrored(king) * 7),
        .base = (uint16_t)(feature_king_bucket(king_buckets, side, king) * FEATURE_COUNT)};
}

static inline bool feature_same_view(FeatureView a, FeatureView b)
{
    return a.turn == b.turn && a.base == b.base;
}

/* The input that `piece` on `s` switches on in a view. */
static inline uint16_t feature_index(FeatureView view, Piece piece, Square s)
{
    int enemy = piece_color(piece) != view.side;
    int kind = enemy * PIECE_TYPE_COUNT + (int)piece_type(piece);
    return (uint16_t)(view.base + kind * SQUARE_COUNT + (s ^ view.turn));
}

/* The output bucket for a number of pieces on the board, kings included: eight buckets of four. */
static inline int feature_bucket(int buckets, int pieces)
{
    return buckets == 1 ? 0 : (pieces - 2) / 4;
}

#endif
