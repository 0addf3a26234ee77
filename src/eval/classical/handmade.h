/* The hand-made evaluation: the terms that the five ancestors counted (material, piece squares,
 * pawns, mobility, king attack, files, passed pawns, bad bishops), put on one tapered scale. Every
 * term is worked out for both sides from the position alone, so that turning the board around turns the
 * score around exactly. */
#ifndef EVAL_CLASSICAL_HANDMADE_H
#define EVAL_CLASSICAL_HANDMADE_H

#include "chess/position.h"
#include "eval/classical/handmade_weights.h"
#include "eval/eval.h"

/* What pawns alone decide; pawns move seldom, so most of it is found ready. */
typedef struct HandmadePawns {
    Key key;                      /* Position.st.pawn_key, compared in full */
    Packed score[COLOR_COUNT];    /* the terms of handmade_pawns.c */
    Bitboard passed[COLOR_COUNT]; /* the side's passed pawns */
    Bitboard reach[COLOR_COUNT];  /* squares its pawns attack now or after advancing */
    uint8_t files[COLOR_COUNT];   /* one bit for each file with a pawn of the side */
} HandmadePawns;

/* One thread's table of them, valid when all zero: a row of zeros is the truth about no pawns. */
enum { HANDMADE_CACHE_ROWS = 8192 };
typedef struct HandmadeCache {
    HandmadePawns rows[HANDMADE_CACHE_ROWS];
} HandmadeCache;

/* The value for the side to move. `cache` may be NULL: slower, same result. */
Score handmade_score(const HandmadeWeights *w, HandmadeCache *cache, const Position *p);

/* The same, with its terms. */
void handmade_trace(const HandmadeWeights *w, const Position *p, EvalTrace *out);

#endif
