/* Fitting the model of human choice: maximum likelihood with a Gaussian prior on every weight
 * (ridge). */
#ifndef LEVELS_HUMAN_FIT_H
#define LEVELS_HUMAN_FIT_H

#include "levels/human_model.h"

/* A position in which a person chose. */
typedef struct HumanChoice {
    const HumanSample *sample;
    size_t first; /* its first move in HumanData.starts */
    uint16_t count, chosen;
    int fold, elo;
    HumanBlend blend;
} HumanChoice;

typedef struct HumanData {
    HumanChoice *choices;
    size_t count;
    HumanFeature *features;
    size_t feature_count, feature_room;
    size_t *starts; /* of every move's features, and one more for the end of the last */
    size_t start_count;
} HumanData;

/* The features of every sample; what the book says of a game comes from the games
 * of other folds. `progress` may be NULL. */
Status human_data_build(HumanData *d, const HumanGames *g, HumanProgress *progress, void *user,
                        Message *why);
void human_data_free(HumanData *d);

/* The features of move i of a choice. */
static inline const HumanFeature *human_data_features(const HumanData *d, const HumanChoice *c,
                                                      int i, int *count)
{
    size_t at = c->first + (size_t)i;
    *count = (int)(d->starts[at + 1] - d->starts[at]);
    return d->features + d->starts[at];
}

/* The probabilities of a choice's moves with all the model's weights. */
void human_data_choose(const HumanData *d, const HumanChoice *c, const float *weights, double *out);

typedef struct HumanFitOptions {
    int without_fold;        /* -1: all games */
    int iterations;          /* most */
    bool order_only;         /* know nothing but the order of the moves in the longer search */
    HumanProgress *progress; /* may be NULL; told the iterations; asked in between */
    void *user;
} HumanFitOptions;

/* Weights (HUMAN_WEIGHTS) from those that are there. */
Status human_fit(const HumanData *d, const HumanFitOptions *options, float *weights, Message *why);

#endif
