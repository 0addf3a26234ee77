/* From what people choose to what a level plays. The level plays the likely moves of people more
 * often than a single person would and errs where people are likely to: every probability is
 * sharpened, and what a move loses is weighed in so that the level loses as much per move as people
 * of its rating. */
#ifndef LEVELS_HUMAN_FRAME_H
#define LEVELS_HUMAN_FRAME_H

#include "levels/human_features.h"

typedef struct HumanFrame {
    int rating;    /* whose weights the model uses */
    double spread; /* 1: chooses as one of many people, 0: always the likeliest move */
    double bias;   /* for moves that lose winning chances, in logits; below 0: against them */
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
 * do. In the opening the level varies more. From 1000 up it leaves no piece to a capture where
 * people hardly ever would, from 1400 up no queen. */
void human_frame_choose(const HumanFrame *frame, const Position *p, const HumanValue *values,
                        const double *people, int count, double *out);

#endif
