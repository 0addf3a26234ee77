/* From what people choose to what a level plays. The level plays the likely moves of people more
 * often than a single person would, and its errors are those that cost least of this likeness: what
 * a move loses is weighed against a power of its probability, so that the level loses as much per
 * move as its strength asks for. Weighed against the probability itself the level would match
 * people most often for a given loss, but leave too many pieces; against the logarithm it would
 * give up the moves that nearly everybody finds. */
#ifndef LEVELS_HUMAN_FRAME_H
#define LEVELS_HUMAN_FRAME_H

#include "levels/human_features.h"

typedef struct HumanFrame {
    int rating;  /* whose weights the model uses */
    double bias; /* for moves that lose winning chances; below 0: against them */
} HumanFrame;

/* The frame of a level, and whether there is one: levels above the last have their own search. */
bool human_frame(int elo, HumanFrame *out);

/* The winning chances that each move gives away, from 0 to 2, by the longest search
 * that valued it. */
void human_losses(const Position *p, const HumanValue *values, int count, double *out);

/* Whether the opponent can win a piece (or, queen_only, the queen) by a capture in the position
 * after m. */
bool human_hangs_piece(const Position *p, Move m, bool queen_only);

/* The probabilities with which the level plays the moves of `values`, from those with which people
 * do. In the opening the level varies more. A better position is not given away by a repetition.
 * From 1200 up no piece is left to a capture where people hardly ever would (below, down to 800,
 * where they do so more seldom still), from 1400 up no queen. */
void human_frame_choose(const HumanFrame *frame, const Position *p, const HumanValue *values,
                        const double *people, int count, double *out);

#endif
