#include "base/random.h"
#include "train/train_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Shape shape_of(int hidden, int buckets)
{
    Shape s = {.hidden = hidden, .buckets = buckets};
    s.bias = (size_t)FEATURE_COUNT * (size_t)hidden;
    s.out = s.bias + (size_t)hidden;
    s.out_bias = s.out + 2 * (size_t)hidden * (size_t)buckets;
    s.count = (s.out_bias + (size_t)buckets + TRAIN_LANES - 1) / TRAIN_LANES * TRAIN_LANES;
    return s;
}

float *shape_block(const Shape *shape)
{
    float *at = aligned_alloc(TRAIN_LANES * sizeof(float), shape->count * sizeof(float));
    if (at)
        memset(at, 0, shape->count * sizeof(float));
    return at;
}

static void fill(float *at, size_t count, double limit, Random *random)
{
    for (size_t i = 0; i < count; i++)
        at[i] = (float)((2 * random_unit(random) - 1) * limit);
}

/* A position switches on some 24 of the inputs; the limits keep first sums and outputs of the order
 * of one half, inside the range where neurons learn. */
void model_random(const Shape *shape, float *weights, uint64_t seed)
{
    Random random;
    random_seed(&random, seed);
    fill(weights, shape->bias, 0.06, &random);
    fill(weights + shape->out, shape->out_bias - shape->out, 1 / sqrt(shape->hidden), &random);
}

/* Where weight `neuron` of an input is found in the block of tiles. */
static size_t tiled(int feature, int neuron)
{
    return shape_row(neuron / TRAIN_TILE, feature) + (size_t)(neuron % TRAIN_TILE);
}

void model_from_net(const Shape *shape, float *weights, const Net *net)
{
    int hidden = shape->hidden;
    for (int f = 0; f < FEATURE_COUNT; f++)
        for (int i = 0; i < hidden; i++)
            weights[tiled(f, i)] = (float)net->ft_weights[f * hidden + i] / NET_QA;
    for (int i = 0; i < hidden; i++)
        weights[shape->bias + (size_t)i] = (float)net->ft_bias[i] / NET_QA;
    for (size_t i = shape->out; i < shape->out_bias; i++)
        weights[i] = (float)net->out_weights[i - shape->out] / (float)net->qb;
    for (int b = 0; b < shape->buckets; b++)
        weights[shape->out_bias + (size_t)b] = (float)net->out_bias[b] / (float)(NET_QA * net->qb);
}

static int rounded(float value, int factor, int limit)
{
    long r = lrintf(value * (float)factor);
    return r > limit ? limit : r < -limit ? -limit : (int)r;
}

/* The finest steps with which the largest output weight still fits. */
static int finest_qb(const Shape *shape, const float *weights)
{
    float largest = 0;
    for (size_t i = shape->out; i < shape->out_bias; i++)
        largest = fabsf(weights[i]) > largest ? fabsf(weights[i]) : largest;
    int qb = NET_QB;
    while (qb < NET_QB_MAX && largest * (float)(2 * qb) <= NET_WEIGHT_MAX)
        qb *= 2;
    return qb;
}

void model_to_net(const Shape *shape, const float *weights, Net *net)
{
    int hidden = shape->hidden;
    net->qb = finest_qb(shape, weights);
    for (int f = 0; f < FEATURE_COUNT; f++)
        for (int i = 0; i < hidden; i++)
            net->ft_weights[f * hidden + i] =
                (int16_t)rounded(weights[tiled(f, i)], NET_QA, INT16_MAX);
    for (int i = 0; i < hidden; i++)
        net->ft_bias[i] = (int16_t)rounded(weights[shape->bias + (size_t)i], NET_QA, INT16_MAX);
    for (size_t i = shape->out; i < shape->out_bias; i++)
        net->out_weights[i - shape->out] = (int16_t)rounded(weights[i], net->qb, NET_WEIGHT_MAX);
    for (int b = 0; b < shape->buckets; b++)
        net->out_bias[b] =
            rounded(weights[shape->out_bias + (size_t)b], NET_QA * net->qb, INT32_MAX / 4096);
}
