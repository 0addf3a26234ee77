/* Endgame knowledge for every evaluation: scaling (how much of a lead counts) and mop-up (a bonus
 * for driving a lone king to the edge or corner where it is mated). The classical evaluation uses
 * both inside; the value of a net, which has seen few such endings played out, is scaled from
 * outside. */
#ifndef EVAL_ENDGAME_H
#define EVAL_ENDGAME_H

#include "chess/position.h"
#include "eval/score.h"

enum { SCALE_NORMAL = 64 };

/* True where a known endgame says how much of the lead of `strong` counts: *scale in 64ths. */
bool endgame_scale_factor(const Position *p, Color strong, int *scale);

/* Opposite-coloured bishops: one bishop each, on squares of different colours. */
bool endgame_opposite_bishops(const Position *p);

/* Mop-up: White's bonus minus Black's. */
Score endgame_mop_up(const Position *p);

/* Endgame scaling and mop-up applied to a value from the view of the side to move. */
Score endgame_scale(const Position *p, Score value);

#endif
