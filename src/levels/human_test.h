/* How well the model predicts people, and how a level that plays from it compares with them, by
 * rating. */
#ifndef LEVELS_HUMAN_TEST_H
#define LEVELS_HUMAN_TEST_H

#include "levels/human_fit.h"

enum {
    HUMAN_BANDS = 4,
    HUMAN_JUDGE_NODES = 5000,
    HUMAN_LIKE_RATINGS = 13, /* of people: 500, 600 ... 1700 */
    HUMAN_LIKE_LEVELS = 8,   /* 400, 600 ... 1800 */
    HUMAN_LIKE_ABOVE = 9999
};

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

/* What people of each rating, by the model, and each level lose in the same positions: sums. */
typedef struct HumanLikes {
    double positions, people[HUMAN_LIKE_RATINGS], levels[HUMAN_LIKE_LEVELS];
} HumanLikes;

/* The rating of people who lose as much as the level; 0: below all,
 * HUMAN_LIKE_ABOVE: above all. */
int human_like(const HumanLikes *likes, int level);

typedef struct HumanTestOptions {
    const float *weights, *order_weights;
    int fold;   /* that the weights were not fitted to; -1: all games */
    int judged; /* positions of each band to judge, in percent */
    uint64_t seed;
    HumanProgress *progress; /* may be NULL; told the positions */
    void *user;
} HumanTestOptions;

/* The bands with their ratings, all sums zero. */
void human_test_begin(HumanBand bands[HUMAN_BANDS]);

/* Adds what the positions of a fold say. */
Status human_test(const HumanData *d, const HumanGames *g, const HumanTestOptions *options,
                  HumanBand bands[HUMAN_BANDS], HumanLikes *likes, Message *why);

#endif
