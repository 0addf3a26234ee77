/* The model of human choice: the probability that a person of a rating plays each legal move. A
 * conditional logit: every feature of a move has a weight, and the moves' sums decide through a
 * softmax. A fact's weight depends on the rating (it is interpolated between a few ratings) and on
 * the speed of the game; the squares' habits are the same for everybody. The weights are fitted by
 * `castellan levels fit` (human_fit.h). */
#ifndef LEVELS_HUMAN_MODEL_H
#define LEVELS_HUMAN_MODEL_H

#include "levels/human_book.h"
#include "levels/human_features.h"

enum {
    HUMAN_RATINGS = 4, /* where the weights are fitted; between them they are interpolated */
    HUMAN_BLOCKS = 1 + HUMAN_RATINGS + 1, /* for everybody, for each rating, for fast games */
    HUMAN_SQUARE_WEIGHTS = HUMAN_FEATURES - HUMAN_FACTS,
    HUMAN_WEIGHTS = HUMAN_BLOCKS * HUMAN_FACTS + HUMAN_SQUARE_WEIGHTS
};

extern const int human_ratings[HUMAN_RATINGS];

/* The weights that are built in, and the openings that belong to them (generated,
 * human_model_weights.c). */
extern const float human_weights[HUMAN_WEIGHTS];
extern const HumanBook human_book;

/* How much each block counts: everybody, the ratings, fast games. */
typedef struct HumanBlend {
    float share[HUMAN_BLOCKS];
} HumanBlend;

/* `seconds` as in human_games.h; 0: unknown. */
HumanBlend human_blend(int elo, int seconds);

/* The weights of the facts at that rating, and those of every feature. */
void human_blend_facts(const HumanBlend *blend, const float *weights, float *out);
void human_blend_weights(const HumanBlend *blend, const float *weights, float *out);

/* A position with its moves' features, the book's included. */
void human_model_features(const HumanMoment *moment, const HumanBook *book,
                          const HumanValue *values, int count, HumanFeatures *out);

/* From the exponents of probabilities to probabilities. */
void human_softmax(double *values, int count);

/* The probabilities of the moves; `blended` are the weights of every feature. */
void human_model_choose(const HumanFeatures *moves, int count, const float *blended, double *out);

#endif
