/* Colours, pieces, squares and moves. Squares are a1 = 0, b1 = 1 ... h8 = 63. */
#ifndef CHESS_TYPES_H
#define CHESS_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard;
typedef uint64_t Key;

typedef enum Color { WHITE, BLACK, COLOR_COUNT } Color;

typedef enum PieceType {
    PAWN,
    KNIGHT,
    BISHOP,
    ROOK,
    QUEEN,
    KING,
    PIECE_TYPE_COUNT,
    NO_PIECE_TYPE = PIECE_TYPE_COUNT
} PieceType;

/* A piece is 2 * type + colour: 12 values without gaps. */
typedef uint8_t Piece;
enum { PIECE_COUNT = 12, NO_PIECE = 12 };

static inline Piece piece_make(Color c, PieceType t)
{
    return (Piece)(2 * t + c);
}

static inline PieceType piece_type(Piece p)
{
    return (PieceType)(p >> 1);
}

static inline Color piece_color(Piece p)
{
    return (Color)(p & 1);
}

static inline Color color_other(Color c)
{
    return (Color)(c ^ 1);
}

typedef uint8_t Square;
enum {
    SQ_A1,
    SQ_B1,
    SQ_C1,
    SQ_D1,
    SQ_E1,
    SQ_F1,
    SQ_G1,
    SQ_H1,
    SQ_A8 = 56,
    SQ_E8 = 60,
    SQ_H8 = 63,
    SQ_NONE = 64,
    SQUARE_COUNT = 64
};

static inline Square square_make(int file, int rank)
{
    return (Square)(rank * 8 + file);
}

static inline int square_file(Square s)
{
    return s & 7;
}

static inline int square_rank(Square s)
{
    return s >> 3;
}

/* Chebyshev distance: king moves between two squares. */
static inline int square_distance(Square a, Square b)
{
    int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return files > ranks ? files : ranks;
}

/* The square from the view of a side: ranks are mirrored for Black. */
static inline Square square_relative(Color c, Square s)
{
    return (Square)(s ^ (c * 56));
}

static inline int square_relative_rank(Color c, Square s)
{
    return square_rank(square_relative(c, s));
}

/* Castling rights: one bit for each side and wing. */
typedef enum Wing { KING_SIDE, QUEEN_SIDE, WING_COUNT } Wing;
enum { CASTLING_COUNT = 4, CASTLING_NONE = 0, CASTLING_ALL = 15 };

static inline int castling_index(Color c, Wing w)
{
    return c * 2 + w;
}

static inline int castling_right(Color c, Wing w)
{
    return 1 << castling_index(c, w);
}

/* A move in 16 bits: from, to, kind. Castling is the king capturing its own rook, which is
 * unambiguous in Chess960. MOVE_NONE and MOVE_NULL are not moves of a piece. */
typedef uint16_t Move;
typedef enum MoveKind {
    MOVE_NORMAL,
    MOVE_EN_PASSANT,
    MOVE_CASTLING,
    MOVE_PROMOTE_KNIGHT = 4,
    MOVE_PROMOTE_BISHOP,
    MOVE_PROMOTE_ROOK,
    MOVE_PROMOTE_QUEEN
} MoveKind;
enum { MOVE_NONE = 0, MOVE_NULL = 65, MAX_MOVES = 256 };

static inline Move move_make(Square from, Square to, MoveKind kind)
{
    return (Move)(from | to << 6 | kind << 12);
}

static inline Square move_from(Move m)
{
    return m & 63;
}

static inline Square move_to(Move m)
{
    return (m >> 6) & 63;
}

static inline MoveKind move_kind(Move m)
{
    return (MoveKind)(m >> 12);
}

static inline bool move_is_promotion(Move m)
{
    return m >> 14 == 1;
}

static inline PieceType move_promotion(Move m)
{
    return (PieceType)((m >> 12 & 3) + KNIGHT);
}

static inline Move move_make_promotion(Square from, Square to, PieceType t)
{
    return move_make(from, to, (MoveKind)(MOVE_PROMOTE_KNIGHT + t - KNIGHT));
}

/* True for MOVE_NONE and MOVE_NULL. */
static inline bool move_is_none(Move m)
{
    return m == MOVE_NONE || m == MOVE_NULL;
}

#endif
