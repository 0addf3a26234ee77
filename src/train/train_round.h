/* Choosing roundings: what the outputs of nets without layers and the first layer
 * of others share. */
#ifndef TRAIN_TRAIN_ROUND_H
#define TRAIN_TRAIN_ROUND_H

#include "train/train_int.h"

enum { ROUNDING_SAMPLES = 2048 };

typedef struct RoundedWeight {
    float exact;
    float mean;              /* of its column, taken out of that by rounding_centre */
    int16_t nearest, chosen; /* steps of 1 / qb; at first both are the nearest */
} RoundedWeight;

/* One task: a column of inputs for each weight, and how far the sum of each position is off. */
typedef struct Rounding {
    Net *net;
    int weights, count; /* count: of positions */
    RoundedWeight *of;  /* [weights] */
    float *columns;     /* [weights][ROUNDING_SAMPLES] */
    Sample samples[ROUNDING_SAMPLES];
    float off[ROUNDING_SAMPLES]; /* rounded minus exact, without what the weights add */
    int16_t *accumulators;       /* [2][hidden] */
    Pass *pass;
} Rounding;

bool rounding_open(Rounding *r, const NetShape *shape, Net *net,
                   int weights); /* close it in any case */
void rounding_close(Rounding *r);

/* Takes positions of one bucket and clears the columns; false when there are too few. */
bool rounding_pick(Rounding *r, const SampleSet *set, int bucket);

/* Once for each filling of the columns. */
void rounding_centre(Rounding *r);

/* Chooses; the result is the mean by which sums are too large, for the bias to take. */
double rounding_choose(Rounding *r);

#endif
