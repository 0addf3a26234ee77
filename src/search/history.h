/* What the search has learnt about moves and evaluations, one set per thread. Entries are updated
 * with gravity: the larger an entry, the less a bonus adds to it. */
#ifndef SEARCH_HISTORY_H
#define SEARCH_HISTORY_H

#include "chess/position.h"

#include <stdlib.h>

enum {
    HISTORY_MAX = 16384,
    PAWN_HISTORY_SIZE = 1024,
    CORRECTION_SIZE = 16384,
    CORRECTION_MAX = 1024,
    CORRECTION_GRAIN = 128 /* a correction entry is in this fraction of a centipawn */
};

/* Scores of [piece][to], given an earlier move. */
typedef struct ContinuationHistory {
    int16_t score[PIECE_COUNT][SQUARE_COUNT];
} ContinuationHistory;

typedef struct Histories {
    /* Butterfly (main) history of quiet moves: [side][from attacked][to attacked][from, to] */
    int16_t butterfly[COLOR_COUNT][2][2][SQUARE_COUNT * SQUARE_COUNT];
    int16_t capture[PIECE_COUNT][SQUARE_COUNT][PIECE_TYPE_COUNT + 1]; /* promotions too */
    int16_t pawn[PAWN_HISTORY_SIZE][PIECE_COUNT][SQUARE_COUNT];
    /* By the earlier move: [noisy][piece][to]. The last row serves null moves and plies before the
     * root. */
    ContinuationHistory continuation[2][PIECE_COUNT + 1][SQUARE_COUNT];
    /* Correction histories: errors of the static evaluation, by features of the position. */
    int16_t pawn_correction[COLOR_COUNT][CORRECTION_SIZE];
    int16_t minor_correction[COLOR_COUNT][CORRECTION_SIZE];
    int16_t nonpawn_correction[COLOR_COUNT][COLOR_COUNT][CORRECTION_SIZE];
    ContinuationHistory continuation_correction[PIECE_COUNT + 1][SQUARE_COUNT];
} Histories;

void history_clear(Histories *h);

static inline void history_add(int16_t *entry, int bonus, int limit)
{
    int clamped = bonus > limit ? limit : bonus < -limit ? -limit : bonus;
    *entry = (int16_t)(*entry + clamped - *entry * abs(clamped) / limit);
}

static inline int16_t *butterfly_history(Histories *h, Color side, Bitboard threats, Move m)
{
    bool from_attacked = threats & bb_of(move_from(m)), to_attacked = threats & bb_of(move_to(m));
    return &h->butterfly[side][from_attacked][to_attacked][m & 4095];
}

static inline int16_t *pawn_history(Histories *h, const Position *p, Move m)
{
    return &h->pawn[p->st.pawn_key % PAWN_HISTORY_SIZE][p->board[move_from(m)]][move_to(m)];
}

static inline int16_t *capture_history(Histories *h, const Position *p, Move m)
{
    return &h->capture[p->board[move_from(m)]][move_to(m)][pos_captured_type(p, m)];
}

#endif
