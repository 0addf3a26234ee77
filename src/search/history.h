/* What the search has learnt about moves, one set per thread. All entries move towards their bonus with
 * "gravity": the larger they are, the harder they are to push further. */
#ifndef SEARCH_HISTORY_H
#define SEARCH_HISTORY_H

#include "chess/position.h"

#include <stdlib.h>

enum {
    HISTORY_MAX = 16384,
    PAWN_HISTORY_SIZE = 1024,
    CORRECTION_SIZE = 16384,
    CORRECTION_MAX = 1024,
    CORRECTION_GRAIN = 128 /* entries times weights are in this fraction of a centipawn */
};

/* Scores of a reply [piece][to], given the move before it. The extra row and column serve null moves and
 * plies before the root. */
typedef struct ReplyHistory {
    int16_t score[PIECE_COUNT][SQUARE_COUNT];
} ReplyHistory;

typedef struct Histories {
    /* [side][origin attacked][target attacked][from, to] */
    int16_t quiet[COLOR_COUNT][2][2][SQUARE_COUNT * SQUARE_COUNT];
    int16_t noisy[PIECE_COUNT][SQUARE_COUNT][PIECE_TYPE_COUNT + 1];
    int16_t pawn[PAWN_HISTORY_SIZE][PIECE_COUNT][SQUARE_COUNT];
    ReplyHistory reply[2][PIECE_COUNT + 1][SQUARE_COUNT]; /* [noisy before][piece][to] */
    /* How far the evaluation was off, by features of the position. */
    int16_t correct_pawn[COLOR_COUNT][CORRECTION_SIZE];
    int16_t correct_minor[COLOR_COUNT][CORRECTION_SIZE];
    int16_t correct_nonpawn[COLOR_COUNT][COLOR_COUNT][CORRECTION_SIZE];
    ReplyHistory correct_reply[PIECE_COUNT + 1][SQUARE_COUNT];
} Histories;

void history_clear(Histories *h);

static inline void history_push(int16_t *entry, int bonus, int limit)
{
    int clamped = bonus > limit ? limit : bonus < -limit ? -limit : bonus;
    *entry = (int16_t)(*entry + clamped - *entry * abs(clamped) / limit);
}

static inline int16_t *history_quiet(Histories *h, Color side, Bitboard threats, Move m)
{
    bool from_hit = threats & bb_of(move_from(m)), to_hit = threats & bb_of(move_to(m));
    return &h->quiet[side][from_hit][to_hit][m & 4095];
}

static inline int16_t *history_pawn(Histories *h, const Position *p, Move m)
{
    return &h->pawn[p->st.pawn_key % PAWN_HISTORY_SIZE][p->board[move_from(m)]][move_to(m)];
}

static inline int16_t *history_noisy(Histories *h, const Position *p, Move m)
{
    return &h->noisy[p->board[move_from(m)]][move_to(m)][pos_captured_type(p, m)];
}

#endif
