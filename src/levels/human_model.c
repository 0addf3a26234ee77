#include "levels/human_model.h"

#include <math.h>
#include <string.h>

enum { FAST_SECONDS = 120, SLOW_SECONDS = 600, UNKNOWN_SECONDS = 300 };

const int human_ratings[HUMAN_RATINGS] = {500, 950, 1300, 1700};

/* 1 for a game of two minutes or less, 0 for ten and more. */
static double speed_of(int seconds)
{
    double s = seconds > 0 ? seconds : UNKNOWN_SECONDS;
    double speed = log(SLOW_SECONDS / s) / log((double)SLOW_SECONDS / FAST_SECONDS);
    return speed < 0 ? 0 : speed > 1 ? 1 : speed;
}

HumanBlend human_blend(int elo, int seconds)
{
    HumanBlend b = {.share = {[0] = 1}};
    int k = 0;
    while (k + 2 < HUMAN_RATINGS && elo >= human_ratings[k + 1])
        k++;
    double t = (double)(elo - human_ratings[k]) / (human_ratings[k + 1] - human_ratings[k]);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    b.share[1 + k] = (float)(1 - t);
    b.share[2 + k] = (float)t;
    b.share[HUMAN_BLOCKS - 1] = (float)speed_of(seconds);
    return b;
}

void human_blend_facts(const HumanBlend *blend, const float *weights, float *out)
{
    memcpy(out, weights, HUMAN_FACTS * sizeof *out);
    for (int b = 1; b < HUMAN_BLOCKS; b++)
        for (int f = 0; f < HUMAN_FACTS && blend->share[b] != 0; f++)
            out[f] += blend->share[b] * weights[b * HUMAN_FACTS + f];
}

void human_blend_weights(const HumanBlend *blend, const float *weights, float *out)
{
    human_blend_facts(blend, weights, out);
    memcpy(out + HUMAN_FACTS, weights + HUMAN_BLOCKS * HUMAN_FACTS,
           HUMAN_SQUARE_WEIGHTS * sizeof *out);
}

void human_model_features(const HumanMoment *moment, const HumanBook *book,
                          const HumanValue *values, int count, HumanFeatures *out)
{
    human_features(moment, values, count, out);
    human_book_features(book, moment->p, values, count, out);
}

static double sum_of(const HumanFeatures *f, const float *blended)
{
    double sum = 0;
    for (int i = 0; i < f->count; i++)
        sum += (double)blended[f->at[i].index] * f->at[i].value;
    return sum / HUMAN_UNIT;
}

void human_softmax(double *values, int count)
{
    double most = -INFINITY, all = 0;
    for (int i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    for (int i = 0; i < count; i++)
        all += values[i] = exp(values[i] - most);
    for (int i = 0; i < count; i++)
        values[i] /= all;
}

void human_model_choose(const HumanFeatures *moves, int count, const float *blended, double *out)
{
    for (int i = 0; i < count; i++)
        out[i] = sum_of(&moves[i], blended);
    human_softmax(out, count);
}
