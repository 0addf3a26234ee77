/* What a training begins with: its options, and the weights of a net that may be smaller than the
 * one to train. */
#include "base/random.h"
#include "train/train_int.h"

#include <math.h>
#include <string.h>

enum { MAX_THREADS = 1024, WARM_UP_PART = 50, WARM_UP_MAX = 500 };

Status train_can_start(const NetSizes *sizes, const Net *net, Message *why)
{
    const NetSizes *from = &net->sizes;
    if (from->buckets != sizes->buckets)
        return status_fail(why, STATUS_INVALID, "%s has %d output buckets, not %d", net->id,
                           from->buckets, sizes->buckets);
    if (from->king_buckets != sizes->king_buckets && from->king_buckets != 1)
        return status_fail(why, STATUS_INVALID, "%s has %d king buckets, not 1 or %d", net->id,
                           from->king_buckets, sizes->king_buckets);
    if (from->layers > sizes->layers)
        return status_fail(why, STATUS_INVALID, "%s has layers, the net to train has none",
                           net->id);
    if (from->hidden > sizes->hidden)
        return status_fail(why, STATUS_INVALID, "%s has %d neurons, more than %d", net->id,
                           from->hidden, sizes->hidden);
    return STATUS_OK;
}

TrainOptions train_defaults(void)
{
    return (TrainOptions){.sizes = {.hidden = 256, .buckets = 8, .king_buckets = 1},
                          .epochs = 40,
                          .batch = 16384,
                          .threads = 1,
                          .seed = 1,
                          .rate = 0.001,
                          .rate_end = 0.000003,
                          .wdl = 0.05,
                          .sigmoid_scale = SAMPLE_SIGMOID_SCALE,
                          .decay = 0.01,
                          .checkpoint_ms = 60000};
}

Status train_check(const TrainOptions *o, Message *why)
{
    const NetSizes *n = &o->sizes;
    if (!net_sizes_fit(n->hidden, n->buckets, n->king_buckets, n->layers))
        return status_fail(why, STATUS_INVALID,
                           "unsupported net: %d neurons, %d buckets, %d king buckets, %d layers",
                           n->hidden, n->buckets, n->king_buckets, n->layers);
    if (o->threads < 1 || o->threads > MAX_THREADS || o->epochs < 1 || o->batch < 1)
        return status_fail(why, STATUS_INVALID, "threads, epochs and batch must be at least 1");
    if (!(o->wdl >= 0 && o->wdl <= 1) ||
        !(o->sigmoid_scale >= NET_SCALE_MIN && o->sigmoid_scale <= NET_SCALE_MAX) ||
        !(o->rate > 0) || !(o->rate_end >= 0))
        return status_fail(why, STATUS_INVALID, "rates, wdl and sigmoid scale must be in range");
    if (o->start && train_can_start(n, o->start, why) != STATUS_OK)
        return STATUS_INVALID;
    if (o->gpu && gpu_absent())
        return status_fail(why, STATUS_INVALID, "%s", gpu_absent());
    return STATUS_OK;
}

/* Warms up, then falls along half a cosine. */
double train_rate(const TrainOptions *o, uint64_t steps, uint64_t step)
{
    uint64_t warm = steps / WARM_UP_PART + 1;
    warm = warm > WARM_UP_MAX ? WARM_UP_MAX : warm;
    if (step < warm)
        return o->rate * (double)(step + 1) / (double)(warm + 1);
    double way = (double)(step - warm) / (double)(steps - warm);
    return o->rate_end + (o->rate - o->rate_end) * 0.5 * (1 + cos(way * 3.14159265358979323846));
}

/* -- First weights -- */

/* What a start needs at hand. */
typedef struct Start {
    const NetShape *shape;
    float *weights;
    const Net *net;
    float factor; /* of the outputs, from the net's scale to that of training */
    Random random;
} Start;

static float spread(Start *s, double limit)
{
    return (float)((2 * random_unit(&s->random) - 1) * limit);
}

/* The net's neuron that neuron `i` of the block begins with; negative: a new one. */
static int origin_of(const Start *s, int i)
{
    const NetShape *to = s->shape;
    const NetSizes *from = &s->net->sizes;
    if (!to->layers)
        return i < from->hidden ? i : -1;
    int half = to->hidden / 2, neuron = shape_neuron(s->shape, i), pair = neuron % half;
    if (!from->layers)
        return pair < from->hidden ? pair : -1;
    int from_half = from->hidden / 2;
    return pair < from_half ? pair + neuron / half * from_half : -1;
}

/* The partner of a neuron that has become two is moved a little: two that are the same would learn
 * the same for ever. What is random is the same in all king buckets. */
static void start_column(Start *s, int i, int origin)
{
    const NetShape *shape = s->shape;
    const NetSizes *from = &s->net->sizes;
    bool doubled = shape->layers && !from->layers && i % TRAIN_TILE >= TRAIN_TILE / 2;
    for (int f = 0; f < FEATURE_COUNT; f++) {
        float chance = origin < 0 ? spread(s, 0.06) : doubled ? spread(s, 0.01) : 0;
        for (int bucket = 0; bucket < shape->king_buckets; bucket++) {
            int row = bucket * FEATURE_COUNT + f, old = row % (FEATURE_COUNT * from->king_buckets);
            size_t at = shape_row(shape, i / TRAIN_TILE, row) + (size_t)(i % TRAIN_TILE);
            size_t from_at = (size_t)old * (size_t)from->hidden + (size_t)origin;
            s->weights[at] =
                chance + (origin < 0 ? 0 : (float)s->net->ft_weights[from_at] / NET_QA);
        }
    }
    s->weights[shape->bias + (size_t)i] =
        origin < 0 ? 0.1f : (float)s->net->ft_bias[origin] / NET_QA;
}

/* Output weights of new neurons are zero: they learn before their inputs do. */
static void start_outputs(Start *s)
{
    const NetShape *shape = s->shape;
    const Net *net = s->net;
    int hidden = shape->hidden, old = net->sizes.hidden;
    for (int b = 0; b < shape->buckets; b++) {
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < hidden && i < old; i++)
                s->weights[shape_out(shape, b, side) + (size_t)i] =
                    s->factor * (float)net->out_weights[(2 * b + side) * old + i] / (float)net->qb;
        s->weights[shape->out_bias + (size_t)b] =
            s->factor * (float)net->out_bias[b] / (float)(NET_QA * net->qb);
    }
}

/* -- Layers from a net that has them -- */

static void copy_l1(Start *s, int b)
{
    const Net *net = s->net;
    int half = s->shape->hidden / 2, old = net->sizes.hidden / 2;
    for (int o = 0; o < NET_L1; o++)
        for (int side = 0; side < 2; side++)
            for (int j = 0; j < half && j < old; j++)
                s->weights[shape_l1(s->shape, b, o, side) + (size_t)j] =
                    (float)net->l1_weights[train_l1_at(net, b, side * old + j, o)] / (float)net->qb;
}

static void copy_layers(Start *s)
{
    enum { INS = 2 * NET_L1 };
    const NetShape *shape = s->shape;
    const Net *net = s->net;
    const float one = (float)NET_Q_LAYERS * NET_Q_ACTIVATION;
    const float l1_one = (float)NET_QA * NET_QA / 512 * (float)net->qb;
    for (int b = 0; b < shape->buckets; b++) {
        copy_l1(s, b);
        for (int k = 0; k < INS; k++)
            for (int n = 0; n < NET_L2; n++)
                s->weights[shape->l2 + (size_t)((b * INS + k) * NET_L2 + n)] =
                    (float)net->l2_weights[((b * NET_L1 + k / 2) * NET_L2 + n) * 2 + k % 2] /
                    NET_Q_LAYERS;
        s->weights[shape->out_bias + (size_t)b] = s->factor * (float)net->out_bias[b] / one;
    }
    for (int i = 0; i < shape->buckets * NET_L1; i++)
        s->weights[shape->l1_bias + (size_t)i] = (float)net->l1_bias[i] / l1_one;
    for (int i = 0; i < shape->buckets * NET_L2; i++) {
        s->weights[shape->l2_bias + (size_t)i] = (float)net->l2_bias[i] / one;
        s->weights[shape->l3 + (size_t)i] = s->factor * (float)net->l3_weights[i] / NET_Q_LAYERS;
    }
}

/* -- Layers from a net without -- */

/* Each neuron of the first layer takes one step of the output's range, half of them of its positive
 * side: x = max(x, 0) - max(-x, 0), and each of these is the sum of its parts between 0 and 1, 1
 * and 2 and so on. The other half of the neurons is free to learn. */
enum { STEPS = NET_L1 / 4, CARRIERS = 2 * STEPS };
#define STEPS_PER_ONE 1.5f

static void split_output(Start *s, int b)
{
    const NetShape *shape = s->shape;
    const Net *net = s->net;
    int half = shape->hidden / 2, old = net->sizes.hidden;
    float bias = s->factor * (float)net->out_bias[b] / (float)(NET_QA * net->qb);
    for (int o = 0; o < CARRIERS; o++) {
        float sign = o < STEPS ? STEPS_PER_ONE : -STEPS_PER_ONE;
        for (int side = 0; side < 2; side++)
            for (int j = 0; j < half && j < old; j++)
                s->weights[shape_l1(shape, b, o, side) + (size_t)j] =
                    sign * s->factor * (float)net->out_weights[(2 * b + side) * old + j] /
                    (float)net->qb;
        s->weights[shape->l1_bias + (size_t)(b * NET_L1 + o)] = sign * bias - (float)(o % STEPS);
    }
}

static void free_neurons(Start *s, int b)
{
    enum { INS = 2 * NET_L1 };
    const NetShape *shape = s->shape;
    for (int o = CARRIERS; o < NET_L1; o++)
        for (int side = 0; side < 2; side++)
            for (int j = 0; j < shape->hidden / 2; j++)
                s->weights[shape_l1(shape, b, o, side) + (size_t)j] = spread(s, 0.08);
    for (int n = 0; n < NET_L2; n++) {
        size_t at = (size_t)(b * NET_L2 + n);
        float sign = n < STEPS ? 1 / STEPS_PER_ONE : -1 / STEPS_PER_ONE;
        for (int k = 0; k < INS; k++)
            s->weights[shape->l2 + (size_t)((b * INS + k) * NET_L2 + n)] = n >= CARRIERS
                                                                               ? spread(s, 0.2)
                                                                           : n == k ? 1
                                                                                    : 0;
        s->weights[shape->l2_bias + at] = n < CARRIERS ? 0 : 0.1f;
        s->weights[shape->l3 + at] = n < CARRIERS ? sign : spread(s, 0.01);
    }
}

void model_start(const NetShape *shape, float *weights, const Net *net, double sigmoid_scale,
                 uint64_t seed)
{
    Start s = {.shape = shape,
               .weights = weights,
               .net = net,
               .factor = (float)(net->scale / sigmoid_scale)};
    random_seed(&s.random, seed);
    memset(weights, 0, shape->count * sizeof *weights);
    for (int i = 0; i < shape->hidden; i++)
        start_column(&s, i, origin_of(&s, i));
    if (!shape->layers) {
        start_outputs(&s);
    } else if (net->sizes.layers) {
        copy_layers(&s);
    } else {
        for (int b = 0; b < shape->buckets; b++) {
            split_output(&s, b);
            free_neurons(&s, b);
        }
    }
}
