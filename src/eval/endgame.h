/* What every evaluation should know about endgames, whoever made it: leads that cannot be won count
 * little, and a bare king is driven to where it is mated. The hand-made evaluation builds these rules
 * in; a net, which has seen few such endings played out, has them laid over its value. */
#ifndef EVAL_ENDGAME_H
#define EVAL_ENDGAME_H

#include "chess/position.h"
#include "eval/score.h"

enum { ENDGAME_FULL = 64 };

/* True where a rule of endgame theory says how much of the lead of `strong` counts: *part 64ths. */
bool endgame_rule(const Position *p, Color strong, int *part);

/* One bishop each, on squares of different colours. */
bool endgame_opposite_bishops(const Position *p);

/* A bonus for White minus one for Black: a bare king should be driven to where it is mated. */
Score endgame_mop_up(const Position *p);

/* The value of a position, for the side to move, with all of these laid over it. */
Score endgame_temper(const Position *p, Score value);

#endif
