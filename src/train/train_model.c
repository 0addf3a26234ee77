/* The parameters: where they lie, first weights, and a net made of them. */
#include "base/memory.h"
#include "base/random.h"
#include "train/train_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void place_layers(NetShape *s)
{
    size_t buckets = (size_t)s->buckets;
    s->l1_bias = s->out_end;
    s->l2 = s->l1_bias + buckets * NET_L1;
    s->l2_bias = s->l2 + buckets * 2 * NET_L1 * NET_L2;
    s->l3 = s->l2_bias + buckets * NET_L2;
    s->out_bias = s->l3 + buckets * NET_L2;
}

static size_t whole_lanes(size_t count)
{
    return (count + TRAIN_LANES - 1) / TRAIN_LANES * TRAIN_LANES;
}

NetShape shape_of(const NetSizes *sizes)
{
    size_t hidden = (size_t)sizes->hidden, buckets = (size_t)sizes->buckets;
    NetShape s = {.hidden = sizes->hidden,
                  .buckets = sizes->buckets,
                  .king_buckets = sizes->king_buckets,
                  .layers = sizes->layers,
                  .rows = FEATURE_COUNT * sizes->king_buckets};
    s.bias = (size_t)s.rows * hidden;
    s.out = s.bias + hidden;
    s.out_end = s.out + (sizes->layers ? NET_L1 : 2) * hidden * buckets;
    s.out_bias = s.out_end;
    if (sizes->layers)
        place_layers(&s);
    s.shared = whole_lanes(s.out_bias + buckets);
    s.count = s.shared + (sizes->king_buckets > 1 ? FEATURE_COUNT * hidden : 0);
    return s;
}

float *shape_block(const NetShape *shape)
{
    float *at = memory_aligned(TRAIN_LANES * sizeof(float), shape->count * sizeof(float));
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
void model_random(const NetShape *shape, float *weights, uint64_t seed)
{
    Random random;
    random_seed(&random, seed);
    double limit = 1 / sqrt(shape->hidden);
    fill(weights, shape->bias, 0.06, &random);
    if (!shape->layers) {
        fill(weights + shape->out, shape->out_end - shape->out, limit, &random);
        return;
    }
    /* Products are small: where both neurons are on at all, about a tenth. */
    fill(weights + shape->out, shape->out_end - shape->out, 6 * limit, &random);
    fill(weights + shape->l2, shape->l2_bias - shape->l2, 0.4, &random);
    fill(weights + shape->l3, shape->out_bias - shape->l3, 0.25, &random);
    for (size_t i = shape->bias; i < shape->out; i++)
        weights[i] = 0.2f;
    for (size_t i = shape->l2_bias; i < shape->l3; i++)
        weights[i] = 0.1f;
}

/* -- A net -- */

static int rounded(float value, double factor, int limit)
{
    long r = lrint((double)value * factor);
    return r > limit ? limit : r < -limit ? -limit : (int)r;
}

/* The finest steps with which the largest output weight still fits. */
static int finest_qb(const NetShape *shape, const float *weights)
{
    float largest = 0;
    for (size_t i = shape->out; i < shape->out_end; i++)
        largest = fabsf(weights[i]) > largest ? fabsf(weights[i]) : largest;
    int qb = NET_QB;
    while (qb < NET_QB_MAX && largest * (float)(2 * qb) <= NET_WEIGHT_MAX)
        qb *= 2;
    return qb;
}

static void outputs_to_net(const NetShape *shape, const float *weights, Net *net)
{
    for (size_t i = shape->out; i < shape->out_end; i++)
        net->out_weights[i - shape->out] = (int16_t)rounded(weights[i], net->qb, NET_WEIGHT_MAX);
    for (int b = 0; b < shape->buckets; b++)
        net->out_bias[b] =
            rounded(weights[shape->out_bias + (size_t)b], NET_QA * net->qb, INT32_MAX / 4096);
}

static void l1_to_net(const NetShape *shape, const float *weights, Net *net)
{
    int hidden = shape->hidden, half = hidden / 2;
    for (int b = 0; b < shape->buckets; b++)
        for (int o = 0; o < NET_L1; o++)
            for (int j = 0; j < hidden; j++) {
                float w = weights[shape_l1(shape, b, o, j / half) + (size_t)(j % half)];
                net->l1_weights[train_l1_at(net, b, j, o)] =
                    (int8_t)rounded(w, net->qb, NET_WEIGHT_MAX);
            }
}

static void layers_to_net(const NetShape *shape, const float *weights, Net *net)
{
    enum { BIAS_MAX = 1 << 27, INS = 2 * NET_L1 };
    const double one = (double)NET_Q_LAYERS * NET_Q_ACTIVATION;
    int buckets = shape->buckets;
    l1_to_net(shape, weights, net);
    for (int i = 0; i < buckets * NET_L1; i++)
        net->l1_bias[i] = rounded(weights[shape->l1_bias + (size_t)i],
                                  (double)NET_QA * NET_QA / 512 * net->qb, BIAS_MAX);
    for (int b = 0; b < buckets; b++)
        for (int k = 0; k < INS; k++)
            for (int n = 0; n < NET_L2; n++) {
                float w = weights[shape->l2 + (size_t)((b * INS + k) * NET_L2 + n)];
                net->l2_weights[((b * NET_L1 + k / 2) * NET_L2 + n) * 2 + k % 2] =
                    (int16_t)rounded(w, NET_Q_LAYERS, NET_LAYER_MAX);
            }
    for (int i = 0; i < buckets * NET_L2; i++) {
        net->l2_bias[i] = rounded(weights[shape->l2_bias + (size_t)i], one, BIAS_MAX);
        net->l3_weights[i] =
            (int16_t)rounded(weights[shape->l3 + (size_t)i], NET_Q_LAYERS, NET_LAYER_MAX);
    }
    for (int b = 0; b < buckets; b++)
        net->out_bias[b] = rounded(weights[shape->out_bias + (size_t)b], one, BIAS_MAX);
}

void model_to_net(const NetShape *shape, const float *weights, Net *net)
{
    int hidden = shape->hidden;
    net->qb = finest_qb(shape, weights);
    for (int i = 0; i < hidden; i++) {
        int neuron = shape_neuron(shape, i);
        for (int f = 0; f < shape->rows; f++) {
            float w = weights[shape_row(shape, i / TRAIN_TILE, f) + (size_t)(i % TRAIN_TILE)];
            net->ft_weights[(size_t)f * (size_t)hidden + (size_t)neuron] =
                (int16_t)rounded(w, NET_QA, INT16_MAX);
        }
        net->ft_bias[neuron] =
            (int16_t)rounded(weights[shape->bias + (size_t)i], NET_QA, INT16_MAX);
    }
    if (shape->layers)
        layers_to_net(shape, weights, net);
    else
        outputs_to_net(shape, weights, net);
}
