/* Bitboards: sets of squares in 64 bits. */
#ifndef CHESS_BITBOARD_H
#define CHESS_BITBOARD_H

#include "chess/types.h"

#define FILE_A_BB 0x0101010101010101ULL
#define FILE_H_BB 0x8080808080808080ULL
#define RANK_1_BB 0xffULL
#define DARK_SQUARES_BB 0xaa55aa55aa55aa55ULL

static inline Bitboard bb_of(Square s)
{
    return 1ULL << s;
}

static inline Bitboard bb_file(int file)
{
    return FILE_A_BB << file;
}

static inline Bitboard bb_rank(int rank)
{
    return RANK_1_BB << 8 * rank;
}

/* Rank 0 is the side's own first rank. */
static inline Bitboard bb_relative_rank(Color c, int rank)
{
    return bb_rank(c == WHITE ? rank : 7 - rank);
}

static inline int bb_count(Bitboard b)
{
    return __builtin_popcountll(b);
}

static inline bool bb_many(Bitboard b)
{
    return (b & (b - 1)) != 0;
}

/* The lowest square; b must not be empty. */
static inline Square bb_first(Bitboard b)
{
    return (Square)__builtin_ctzll(b);
}

static inline Square bb_last(Bitboard b)
{
    return (Square)(63 - __builtin_clzll(b));
}

static inline Square bb_pop(Bitboard *b)
{
    Square s = bb_first(*b);
    *b &= *b - 1;
    return s;
}

static inline Bitboard bb_east(Bitboard b)
{
    return (b & ~FILE_H_BB) << 1;
}

static inline Bitboard bb_west(Bitboard b)
{
    return (b & ~FILE_A_BB) >> 1;
}

/* One step towards the opponent. */
static inline Bitboard bb_forward(Color c, Bitboard b)
{
    return c == WHITE ? b << 8 : b >> 8;
}

static inline Bitboard bb_pawn_attacks(Color c, Bitboard pawns)
{
    Bitboard ahead = bb_forward(c, pawns);
    return bb_east(ahead) | bb_west(ahead);
}

/* b and every square a king on b attacks. */
static inline Bitboard bb_grow(Bitboard b)
{
    Bitboard row = b | bb_east(b) | bb_west(b);
    return row | row << 8 | row >> 8;
}

static inline Bitboard bb_fill_north(Bitboard b)
{
    b |= b << 8;
    b |= b << 16;
    return b | b << 32;
}

static inline Bitboard bb_fill_south(Bitboard b)
{
    b |= b >> 8;
    b |= b >> 16;
    return b | b >> 32;
}

/* Every square in front of b (without b), from the side's view. */
static inline Bitboard bb_front_fill(Color c, Bitboard b)
{
    return c == WHITE ? bb_fill_north(b << 8) : bb_fill_south(b >> 8);
}

#endif
