/* What human_features.c and human_moves.c share. */
#ifndef LEVELS_HUMAN_FEATURES_INT_H
#define LEVELS_HUMAN_FEATURES_INT_H

#include "levels/human_features.h"

typedef enum HumanPhase { PHASE_OPENING, PHASE_MIDDLE, PHASE_ENDGAME } HumanPhase;

/* What every move of a position is looked at against. */
typedef struct HumanBoard {
    const HumanMoment *moment;
    Position p; /* moves are made and taken back here */
    Color us, them;
    HumanPhase phase;
    Bitboard hanging;       /* own pieces that can be taken at a profit */
    Bitboard last_attacked; /* squares that the piece that just moved attacks */
    Bitboard king_ring;     /* beside the enemy king */
    Square last_to;         /* SQ_NONE: not known */
    double lead;            /* in material, from -1 to 1 */
    int best_gain;          /* of all captures */
} HumanBoard;

/* Adds a feature, unless its value is nothing. */
void human_add(HumanFeatures *f, int index, double value);

void human_board(HumanBoard *b, const HumanMoment *moment);
void human_add_move(HumanBoard *b, Move m, HumanFeatures *out);

#endif
