/* How well the model predicts people, and how a level that plays from it compares with them, by
 * rating. */
#ifndef LEVELS_HUMAN_TEST_H
#define LEVELS_HUMAN_TEST_H

#include "levels/human_fit.h"

enum { HUMAN_BANDS = 4, HUMAN_JUDGE_NODES = 5000 };

/* People of one range of ratings. Sums over positions, but for the ratings. */
typedef struct HumanBand {
    int from, below, level; /* the level that is compared with them */
    double positions;
    double likeliest;            /* the model's likeliest move was played */
    double level_match;          /* the level's move was, on average over its choices */
    double loglik, order_loglik; /* of the model, and of one that knows the search's order alone */
    double people_loss, level_loss, people_blunders, level_blunders; /* by the longer search */
    /* Of those that were judged by a search of HUMAN_JUDGE_NODES for each move: */
    double judged, full_match; /* Castellan's own move was played */
    double judged_people_loss, judged_level_loss, judged_people_blunders, judged_level_blunders;
    double unlikely,
        hung; /* positions where people hardly hang a piece, and where the level does */
} HumanBand;

typedef struct HumanTestOptions {
    const float *weights, *order_weights;
    int fold;   /* that the weights were not fitted to; -1: all games */
    int judged; /* positions of each band to judge, in percent */
    uint64_t seed;
} HumanTestOptions;

/* The bands with their ratings, all sums zero. */
void human_test_begin(HumanBand bands[HUMAN_BANDS]);

/* Adds what the positions of a fold say. */
Status human_test(const HumanData *d, const HumanGames *g, const HumanTestOptions *options,
                  HumanBand bands[HUMAN_BANDS], Message *why);

#endif
