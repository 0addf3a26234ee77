/* The likelihood and its gradient, and a limited-memory quasi-Newton method (L-BFGS) that climbs
 * it. */
#include "levels/human_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 8, MOST_HALVINGS = 20, ASK_EVERY = 1024 };

/* Standard deviations of the prior: what weights are thought to be before any game is seen. A
 * weight of a block is what is added to everybody's. */
static const double EVERYBODY = 2, RATING = 0.6, FAST = 0.3, SQUARES = 0.5;
static const double ENOUGH = 1e-6; /* relative progress of an iteration that is not worth another */

/* -- The likelihood -- */

typedef struct Objective {
    const HumanData *data;
    const HumanFitOptions *options;
    double gradient[HUMAN_WEIGHTS]; /* of the last evaluation */
    int iterations;                 /* done */
    bool stopped;                   /* the last evaluation is not complete */
} Objective;

/* Where the square's weight of a feature lies. */
static int square_weight(int feature)
{
    return HUMAN_BLOCKS * HUMAN_FACTS + feature - HUMAN_FACTS;
}

void human_data_choose(const HumanData *d, const HumanChoice *c, const float *weights, double *out)
{
    float facts[HUMAN_FACTS];
    const float *squares = weights + square_weight(0);
    human_blend_facts(&c->blend, weights, facts);
    for (int i = 0; i < c->count; i++) {
        int count;
        const HumanFeature *f = human_data_features(d, c, i, &count);
        float sum = 0;
        for (int k = 0; k < count; k++)
            sum += (f[k].index < HUMAN_FACTS ? facts : squares)[f[k].index] * (float)f[k].value;
        out[i] = sum / HUMAN_UNIT;
    }
    human_softmax(out, c->count);
}

/* Adds the gradient of one choice's negative log-likelihood. */
static void add_gradient(Objective *o, const HumanChoice *c, const double *chances)
{
    double facts[HUMAN_FACTS] = {0}, *squares = o->gradient + square_weight(0);
    for (int i = 0; i < c->count; i++) {
        int count;
        const HumanFeature *f = human_data_features(o->data, c, i, &count);
        double over = (chances[i] - (i == c->chosen)) / HUMAN_UNIT;
        for (int k = 0; k < count; k++)
            (f[k].index < HUMAN_FACTS ? facts : squares)[f[k].index] += over * f[k].value;
    }
    for (int b = 0; b < HUMAN_BLOCKS; b++)
        if (c->blend.share[b] != 0)
            for (int f = 0; f < HUMAN_FACTS; f++)
                o->gradient[b * HUMAN_FACTS + f] += c->blend.share[b] * facts[f];
}

static double deviation(int weight)
{
    int block = weight / HUMAN_FACTS;
    return block == 0                 ? EVERYBODY
           : block < HUMAN_BLOCKS - 1 ? RATING
           : block < HUMAN_BLOCKS     ? FAST
                                      : SQUARES;
}

/* Whether a fit may move the weight. */
static bool is_free(const Objective *o, int weight)
{
    int fact = weight % HUMAN_FACTS;
    if (!o->options->order_only)
        return true;
    return weight < HUMAN_BLOCKS * HUMAN_FACTS &&
           (fact == FACT_RANK + HUMAN_DEEP || fact == FACT_BEST + HUMAN_DEEP);
}

/* With many games one evaluation takes seconds, and an iteration may need several. */
static bool goes_on(Objective *o, size_t choice)
{
    const HumanFitOptions *options = o->options;
    if (choice % ASK_EVERY == 0 && options->progress &&
        !options->progress(options->user, (size_t)o->iterations, (size_t)options->iterations))
        o->stopped = true;
    return !o->stopped;
}

static double evaluate(Objective *o, const float *weights)
{
    double sum = 0, chances[MAX_MOVES];
    memset(o->gradient, 0, sizeof o->gradient);
    for (size_t i = 0; i < o->data->count && goes_on(o, i); i++) {
        const HumanChoice *c = &o->data->choices[i];
        if (c->fold == o->options->without_fold)
            continue;
        human_data_choose(o->data, c, weights, chances);
        sum -= log(chances[c->chosen] + 1e-12);
        add_gradient(o, c, chances);
    }
    for (int w = 0; w < HUMAN_WEIGHTS; w++) {
        double prior = deviation(w) * deviation(w);
        sum += weights[w] * weights[w] / (2 * prior);
        o->gradient[w] = is_free(o, w) ? o->gradient[w] + weights[w] / prior : 0;
    }
    return sum;
}

/* -- The climb -- */

typedef struct Climb {
    Objective objective;
    double direction[HUMAN_WEIGHTS], before[HUMAN_WEIGHTS]; /* the gradient before the last step */
    float from[HUMAN_WEIGHTS];
    double steps[MEMORY][HUMAN_WEIGHTS], turns[MEMORY][HUMAN_WEIGHTS]; /* differences of weights and
                                                                          of gradients */
    double curvature[MEMORY];
    int count; /* pairs that were kept so far */
} Climb;

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < HUMAN_WEIGHTS; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_scaled(double *to, const double *from, double scale)
{
    for (int i = 0; i < HUMAN_WEIGHTS; i++)
        to[i] += scale * from[i];
}

/* The quasi-Newton direction, downhill. */
static void find_direction(Climb *c)
{
    double scale[MEMORY], *d = c->direction;
    int kept = c->count < MEMORY ? c->count : MEMORY;
    for (int i = 0; i < HUMAN_WEIGHTS; i++)
        d[i] = -c->objective.gradient[i];
    for (int i = 1; i <= kept; i++) {
        int k = (c->count - i) % MEMORY;
        scale[k] = dot(c->steps[k], d) / c->curvature[k];
        add_scaled(d, c->turns[k], -scale[k]);
    }
    if (kept) {
        int k = (c->count - 1) % MEMORY;
        double first = c->curvature[k] / dot(c->turns[k], c->turns[k]);
        for (int i = 0; i < HUMAN_WEIGHTS; i++)
            d[i] *= first;
    } else {
        double length = sqrt(dot(d, d));
        for (int i = 0; i < HUMAN_WEIGHTS; i++)
            d[i] /= length > 0 ? length : 1;
    }
    for (int i = kept; i >= 1; i--) {
        int k = (c->count - i) % MEMORY;
        add_scaled(d, c->steps[k], scale[k] - dot(c->turns[k], d) / c->curvature[k]);
    }
}

static void keep_pair(Climb *c, const float *weights)
{
    int k = c->count % MEMORY;
    for (int i = 0; i < HUMAN_WEIGHTS; i++) {
        c->steps[k][i] = (double)weights[i] - c->from[i];
        c->turns[k][i] = c->objective.gradient[i] - c->before[i];
    }
    c->curvature[k] = dot(c->steps[k], c->turns[k]);
    if (c->curvature[k] > 1e-10)
        c->count++;
}

/* One step; false when there is nothing left to gain. */
static bool climb(Climb *c, float *weights, double *value)
{
    Objective *o = &c->objective;
    find_direction(c);
    double slope = dot(c->direction, o->gradient), length = 1, old = *value;
    if (slope >= 0)
        return false;
    memcpy(c->before, o->gradient, sizeof c->before);
    memcpy(c->from, weights, sizeof c->from);
    for (int i = 0; i < MOST_HALVINGS && !o->stopped; i++, length /= 2) {
        for (int w = 0; w < HUMAN_WEIGHTS; w++)
            weights[w] = (float)(c->from[w] + length * c->direction[w]);
        *value = evaluate(o, weights);
        if (!o->stopped && *value <= old + 1e-4 * length * slope) {
            keep_pair(c, weights);
            return old - *value > ENOUGH * old;
        }
    }
    memcpy(weights, c->from, sizeof c->from);
    return false;
}

Status human_fit(const HumanData *d, const HumanFitOptions *options, float *weights, Message *why)
{
    Climb *c = calloc(1, sizeof *c);
    if (!c)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the fit");
    Objective *o = &c->objective;
    o->data = d;
    o->options = options;
    double value = evaluate(o, weights);
    while (!o->stopped && o->iterations < options->iterations && climb(c, weights, &value))
        o->iterations++;
    bool stopped = o->stopped;
    free(c);
    return stopped ? status_fail(why, STATUS_STOPPED, "interrupted") : STATUS_OK;
}
