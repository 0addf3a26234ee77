/* One evaluation in progress, shared by the files that each work out one theme. The order matters:
 * handmade_pieces fills the attack maps that king, threats and passed pawns read. */
#ifndef EVAL_CLASSICAL_HANDMADE_INT_H
#define EVAL_CLASSICAL_HANDMADE_INT_H

#include "eval/classical/handmade.h"

typedef enum Term {
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
} Term;

enum { PHASE_FULL = 24 };

typedef struct Scan {
    const Position *p;
    const HandmadeWeights *w;
    const HandmadePawns *pawns;
    Packed term[TERM_COUNT][COLOR_COUNT];
    Bitboard occupied;
    Bitboard by[COLOR_COUNT][PIECE_TYPE_COUNT]; /* squares attacked by the pieces of one type */
    Bitboard attacked[COLOR_COUNT];
    Bitboard attacked_twice[COLOR_COUNT];
    Bitboard mobility_area[COLOR_COUNT]; /* squares that count as mobility */
    Bitboard ring[COLOR_COUNT];          /* the squares around the side's king */
    Square king[COLOR_COUNT];
    int ring_attackers[COLOR_COUNT]; /* enemy pieces that reach the side's ring */
    int ring_weight[COLOR_COUNT];    /* the sum of their danger_attacker */
    int ring_hits[COLOR_COUNT];      /* how many ring squares they reach, with multiplicity */
} Scan;

/* Index into a table of four columns. */
static inline int handmade_square(Color us, Square s)
{
    int file = square_file(s);
    return square_relative_rank(us, s) * 4 + (file < 4 ? file : 7 - file);
}

/* handmade_pawns.c: works out what the pawns alone decide. */
void handmade_pawns_fill(const HandmadeWeights *w, const Position *p, HandmadePawns *out);

/* Each adds its terms for both sides. */
void handmade_pieces(Scan *s);  /* material, squares, mobility, minors, rooks; fills the maps */
void handmade_king(Scan *s);    /* shelter, storm and danger */
void handmade_threats(Scan *s); /* threats and space */
void handmade_passed(Scan *s);  /* what is around passed pawns */

/* handmade_endgame.c: what the rest of the game makes of the sums. */

/* The endgame half moved by how winnable the position is; eg is White's lead. */
int handmade_winnable(const Scan *s, int eg);
/* How much of the endgame half counts, in 64ths, when `strong` is ahead. */
int handmade_scale(const Scan *s, Color strong);

#endif
