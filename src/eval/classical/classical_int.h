/* One evaluation in progress, shared by the files of this folder. classical_pieces runs first: it
 * fills the attack maps that king, threats and passed pawns read. */
#ifndef EVAL_CLASSICAL_CLASSICAL_INT_H
#define EVAL_CLASSICAL_CLASSICAL_INT_H

#include "eval/classical/classical.h"

typedef enum ClassicalTerm {
    TERM_MATERIAL,
    TERM_SQUARES,
    TERM_PAWNS,
    TERM_MINORS,
    TERM_ROOKS,
    TERM_MOBILITY,
    TERM_KING,
    TERM_THREATS,
    TERM_PASSED,
    TERM_SPACE,
    TERM_WINNABLE,
    TERM_TEMPO,
    TERM_COUNT
} ClassicalTerm;

enum { PHASE_FULL = 24 };

typedef struct EvalInfo {
    const Position *p;
    const PawnEntry *pawns;
    Packed term[TERM_COUNT][COLOR_COUNT];
    Bitboard occupied;
    Bitboard by[COLOR_COUNT][PIECE_TYPE_COUNT]; /* squares attacked by pieces of one type */
    Bitboard attacked[COLOR_COUNT];
    Bitboard attacked_twice[COLOR_COUNT];
    Bitboard mobility_area[COLOR_COUNT]; /* squares that count as mobility */
    Bitboard ring[COLOR_COUNT];          /* the squares around the side's king */
    Square king[COLOR_COUNT];
    int ring_attackers[COLOR_COUNT]; /* enemy pieces that attack the ring */
    int ring_weight[COLOR_COUNT];    /* the sum of their danger_attacker */
    int ring_hits[COLOR_COUNT];      /* attacks on ring squares */
} EvalInfo;

/* The weights in use, by a short name. */
static const ClassicalWeights *const w = &classical_weights;

/* Index into a piece-square table of four columns. */
static inline int classical_square(Color us, Square s)
{
    int file = square_file(s);
    return square_relative_rank(us, s) * 4 + (file < 4 ? file : 7 - file);
}

/* classical_pawns.c: fills an entry of the pawn hash table. */
void classical_pawns_fill(const Position *p, PawnEntry *out);

/* Fills the maps of both sides, and adds material, squares, mobility, minors and rooks. */
void classical_pieces(EvalInfo *s);

/* Each adds its terms for one side. */
void classical_king(EvalInfo *s, Color us);    /* shelter, storm and danger */
void classical_threats(EvalInfo *s, Color us); /* threats and space */
void classical_passed(EvalInfo *s, Color us);  /* passed pawns */

/* classical_endgame.c */

/* The endgame value adjusted by how winnable the position is; eg is White's lead. */
int classical_winnable(const EvalInfo *s, int eg);
/* The endgame scale factor, in 64ths, when `strong` is ahead. */
int classical_scale(const EvalInfo *s, Color strong);

#endif
