/* Attack tables. chess_init() fills them once; every other function may then be called from any
 * thread. Sliding attacks use PEXT where the processor is fast at it, magic multiplication
 * elsewhere; both index the same tables. */
#ifndef CHESS_ATTACKS_H
#define CHESS_ATTACKS_H

#include "chess/bitboard.h"

#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__) && !defined(CHESS_NO_PEXT)
#define CHESS_PEXT 1
#include <immintrin.h>
#else
#define CHESS_PEXT 0
#endif

/* The part of the table for one slider on one square. */
typedef struct Slider {
    const Bitboard *attacks;
    Bitboard mask;
    Bitboard magic;
    unsigned shift;
} Slider;

typedef struct AttackTables {
    Slider bishop[SQUARE_COUNT], rook[SQUARE_COUNT];
    Bitboard pawn[COLOR_COUNT][SQUARE_COUNT];
    Bitboard knight[SQUARE_COUNT], king[SQUARE_COUNT];
    Bitboard between[SQUARE_COUNT][SQUARE_COUNT]; /* strictly between, empty if not on a line */
    Bitboard line[SQUARE_COUNT][SQUARE_COUNT];    /* the whole line through both, edge to edge */
} AttackTables;

/* Written by chess_init() only. */
extern AttackTables attack_tables;

/* Fills every table of this folder (attacks, keys, repetition). Must be called first; calling it
 * again, or from several threads, has no effect. */
void chess_init(void);

static inline Bitboard slider_attacks(const Slider *s, Bitboard occupied)
{
#if CHESS_PEXT
    return s->attacks[_pext_u64(occupied, s->mask)];
#else
    return s->attacks[((occupied & s->mask) * s->magic) >> s->shift];
#endif
}

static inline Bitboard attacks_bishop(Square s, Bitboard occupied)
{
    return slider_attacks(&attack_tables.bishop[s], occupied);
}

static inline Bitboard attacks_rook(Square s, Bitboard occupied)
{
    return slider_attacks(&attack_tables.rook[s], occupied);
}

static inline Bitboard attacks_queen(Square s, Bitboard occupied)
{
    return attacks_bishop(s, occupied) | attacks_rook(s, occupied);
}

static inline Bitboard attacks_knight(Square s)
{
    return attack_tables.knight[s];
}

static inline Bitboard attacks_king(Square s)
{
    return attack_tables.king[s];
}

/* The squares a pawn of colour c on s attacks. */
static inline Bitboard attacks_pawn(Color c, Square s)
{
    return attack_tables.pawn[c][s];
}

/* Attacks of a knight, bishop, rook, queen or king. */
static inline Bitboard attacks_of(PieceType t, Square s, Bitboard occupied)
{
    switch (t) {
    case KNIGHT:
        return attacks_knight(s);
    case BISHOP:
        return attacks_bishop(s, occupied);
    case ROOK:
        return attacks_rook(s, occupied);
    case QUEEN:
        return attacks_queen(s, occupied);
    default:
        return attacks_king(s);
    }
}

static inline Bitboard bb_between(Square a, Square b)
{
    return attack_tables.between[a][b];
}

static inline Bitboard bb_line(Square a, Square b)
{
    return attack_tables.line[a][b];
}

#endif
