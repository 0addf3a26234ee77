/* The work on positions: from inputs to the loss and back to gradients. Nearly all of the time of a
 * training is spent in the two innermost loops, over the rows of the inputs that are on. */
#include "train/train_int.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Sixteen numbers at once, whatever the processor makes of it: the results do not depend on it. */
typedef float Vec __attribute__((vector_size(64), may_alias));
typedef int32_t Mask __attribute__((vector_size(64), may_alias));

enum { SIDES = 2, VECS = TRAIN_TILE / TRAIN_LANES, AHEAD = 16 };

typedef struct Tile {
    Vec v[VECS];
} Tile;

/* One position of the group. */
typedef struct Item {
    uint16_t features[SIDES][FEATURE_MAX_ACTIVE];
    int pieces, bucket;
    float target, slope; /* slope: of the loss over the output */
    LayerState layers;
} Item;

struct Pass {
    NetShape shape;
    int tiles, count;
    Item items[TRAIN_GROUP];
    Vec sums[TRAIN_GROUP]; /* of each position's output, before its lanes are added */
    Tile *active;          /* [tiles][TRAIN_GROUP][SIDES]: neurons after clamping */
    Vec *l1_sums;          /* with layers [TRAIN_GROUP][NET_L1]: as sums, of the first layer */
};

Pass *pass_open(const NetShape *shape)
{
    size_t size = (sizeof(Pass) + 63) / 64 * 64;
    Pass *pass = memory_aligned(64, size);
    if (!pass)
        return NULL;
    pass->shape = *shape;
    pass->tiles = shape->hidden / TRAIN_TILE;
    pass->count = 0;
    pass->active = memory_aligned(64, (size_t)pass->tiles * TRAIN_GROUP * SIDES * sizeof(Tile));
    pass->l1_sums = memory_aligned(64, TRAIN_GROUP * NET_L1 * sizeof(Vec));
    if (!pass->active || !pass->l1_sums) {
        pass_close(pass);
        return NULL;
    }
    return pass;
}

void pass_close(Pass *pass)
{
    if (!pass)
        return;
    memory_aligned_free(pass->active);
    memory_aligned_free(pass->l1_sums);
    memory_aligned_free(pass);
}

/* -- The order of the positions -- */

Shuffle shuffle_make(uint64_t count, uint64_t seed, uint64_t epoch)
{
    Shuffle s = {.count = count, .half_bits = 1};
    while (s.half_bits < 31 && 1ULL << 2 * s.half_bits < count)
        s.half_bits++;
    for (uint64_t i = 0; i < 4; i++)
        s.key[i] =
            shuffle_mix(shuffle_mix(seed + 0x9e3779b97f4a7c15ULL) ^ shuffle_mix(epoch * 4 + i + 1));
    return s;
}

/* -- Loading a group -- */

static float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

static float target_of(const Sample *s, const Work *work)
{
    float expected = sigmoid((float)s->score / (float)work->sigmoid_scale), wdl = (float)work->wdl;
    return wdl * (float)s->result / 2 + (1 - wdl) * expected;
}

static void load_item(Pass *pass, int index, const Sample *s, const Work *work)
{
    Item *item = &pass->items[index];
    const NetShape *shape = &pass->shape;
    item->pieces = sample_features(s, shape->king_buckets, item->features[0], item->features[1]);
    item->bucket = feature_bucket(shape->buckets, item->pieces);
    item->target = target_of(s, work);
    pass->sums[index] = (Vec){0};
    for (int o = 0; o < NET_L1; o++)
        pass->l1_sums[index * NET_L1 + o] = (Vec){0};
}

/* Positions lie anywhere in memory: they are asked for well before they are needed. */
static void load_group(Pass *pass, const Work *work, size_t from)
{
    size_t left = work->end - from;
    const Sample *where[TRAIN_GROUP];
    pass->count = left < TRAIN_GROUP ? (int)left : TRAIN_GROUP;
    for (int i = 0; i < pass->count; i++) {
        size_t index = from + (size_t)i;
        where[i] = work->samples + (work->shuffle ? shuffle_at(work->shuffle, index) : index);
        __builtin_prefetch(where[i]);
        if (i >= AHEAD)
            load_item(pass, i - AHEAD, where[i - AHEAD], work);
    }
    for (int i = pass->count > AHEAD ? pass->count - AHEAD : 0; i < pass->count; i++)
        load_item(pass, i, where[i], work);
}

/* -- Forward -- */

static inline void clamp(Vec *x)
{
    const Vec zero = {0}, one = zero + 1.0f;
    Mask positive = *x > zero, over = *x > one;
    *x = (Vec)(((Mask)*x & positive & ~over) | ((Mask)one & over));
}

/* The neurons of one tile for one side, clamped to 0 .. 1. */
static inline void sum_rows(const float *rows, const Tile *bias, const uint16_t *features,
                            int pieces, Tile *out)
{
    Vec a = bias->v[0], b = bias->v[1], c = bias->v[2], d = bias->v[3];
    for (int k = 0; k < pieces; k++) {
        const Tile *row = (const void *)(rows + (size_t)features[k] * TRAIN_TILE);
        a += row->v[0];
        b += row->v[1];
        c += row->v[2];
        d += row->v[3];
    }
    clamp(&a);
    clamp(&b);
    clamp(&c);
    clamp(&d);
    *out = (Tile){{a, b, c, d}};
}

/* The products of a tile: each neuron of its first half times that of the second. */
static inline void products(const Tile *active, Vec out[VECS / 2])
{
    for (int v = 0; v < VECS / 2; v++)
        out[v] = active->v[v] * active->v[v + VECS / 2];
}

static inline void take_products(Pass *pass, const float *weights, int index, int side, int tile,
                                 const Tile *active)
{
    const Item *item = &pass->items[index];
    Vec p[VECS / 2], *sums = pass->l1_sums + index * NET_L1;
    products(active, p);
    for (int o = 0; o < NET_L1; o++) {
        const Vec *w = (const void *)(weights + shape_l1(&pass->shape, item->bucket, o, side) +
                                      (size_t)tile * (TRAIN_TILE / 2));
        for (int v = 0; v < VECS / 2; v++)
            sums[o] += p[v] * w[v];
    }
}

static inline void take_squares(Pass *pass, const float *weights, int index, int side, int tile,
                                const Tile *active)
{
    const Item *item = &pass->items[index];
    const Tile *out = (const void *)(weights + shape_out(&pass->shape, item->bucket, side) +
                                     (size_t)tile * TRAIN_TILE);
    for (int v = 0; v < VECS; v++)
        pass->sums[index] += active->v[v] * active->v[v] * out->v[v];
}

static void forward_tile(Pass *pass, const float *weights, int tile)
{
    const NetShape *shape = &pass->shape;
    const float *rows = weights + shape_row(shape, tile, 0);
    const Tile *bias = (const void *)(weights + shape->bias + (size_t)tile * TRAIN_TILE);
    Tile *active = pass->active + (size_t)tile * TRAIN_GROUP * SIDES;
    for (int i = 0; i < pass->count; i++) {
        const Item *item = &pass->items[i];
        for (int side = 0; side < SIDES; side++, active++) {
            sum_rows(rows, bias, item->features[side], item->pieces, active);
            if (shape->layers)
                take_products(pass, weights, i, side, tile, active);
            else
                take_squares(pass, weights, i, side, tile, active);
        }
    }
}

static float lanes_of(const Vec *v)
{
    float sum = 0;
    for (int lane = 0; lane < TRAIN_LANES; lane++)
        sum += (*v)[lane];
    return sum;
}

static float output_of(Pass *pass, const float *weights, int index)
{
    const NetShape *shape = &pass->shape;
    Item *item = &pass->items[index];
    if (!shape->layers)
        return weights[shape->out_bias + (size_t)item->bucket] + lanes_of(&pass->sums[index]);
    for (int o = 0; o < NET_L1; o++)
        item->layers.z1[o] = lanes_of(&pass->l1_sums[index * NET_L1 + o]);
    return layers_forward(shape, weights, item->bucket, &item->layers);
}

static void forward(Pass *pass, const float *weights)
{
    for (int tile = 0; tile < pass->tiles; tile++)
        forward_tile(pass, weights, tile);
}

static double take_losses(Pass *pass, const float *weights)
{
    double loss = 0;
    for (int i = 0; i < pass->count; i++) {
        Item *item = &pass->items[i];
        float said = sigmoid(output_of(pass, weights, i));
        float error = said - item->target;
        item->slope = 2 * error * said * (1 - said);
        loss += (double)error * error;
    }
    return loss;
}

/* -- Backward -- */

/* From the slope of the output to those of the neurons: 2x inside 0 .. 1, nothing outside. */
static inline void slope_of(const Vec *active, const Vec *out, float slope, Vec *down)
{
    const Vec zero = {0}, one = zero + 1.0f;
    Mask inside = *active < one;
    Vec d = (2 * slope) * *active * *out;
    *down = (Vec)((Mask)d & inside);
}

static inline void add_rows(float *rows, const Tile *down, const uint16_t *features, int pieces)
{
    const Vec a = down->v[0], b = down->v[1], c = down->v[2], d = down->v[3];
    for (int k = 0; k < pieces; k++) {
        Tile *row = (void *)(rows + (size_t)features[k] * TRAIN_TILE);
        row->v[0] += a;
        row->v[1] += b;
        row->v[2] += c;
        row->v[3] += d;
    }
}

/* The slopes of a tile's neurons from those of the outputs, whose weights' gradients
 * are added to. */
static inline void slopes_from_output(const Pass *pass, const float *weights, float *gradient,
                                      const Item *item, int side, int tile, const Tile *active,
                                      Tile *down)
{
    size_t at = shape_out(&pass->shape, item->bucket, side) + (size_t)tile * TRAIN_TILE;
    const Tile *out = (const void *)(weights + at);
    Tile *out_gradient = (void *)(gradient + at);
    for (int v = 0; v < VECS; v++) {
        out_gradient->v[v] += item->slope * active->v[v] * active->v[v];
        slope_of(&active->v[v], &out->v[v], item->slope, &down->v[v]);
    }
}

/* Nothing where the neuron is at either end of its range. */
static inline void inside_only(Vec *slope, const Vec *active)
{
    const Vec zero = {0}, one = zero + 1.0f;
    *slope = (Vec)((Mask)*slope & (*active > zero) & (*active < one));
}

static inline void slopes_from_layers(const Pass *pass, const float *weights, float *gradient,
                                      const Item *item, int side, int tile, const Tile *active,
                                      Tile *down)
{
    Vec p[VECS / 2], slope[VECS / 2] = {{0}};
    products(active, p);
    for (int o = 0; o < NET_L1; o++) {
        size_t at = shape_l1(&pass->shape, item->bucket, o, side) + (size_t)tile * (TRAIN_TILE / 2);
        const Vec *w = (const void *)(weights + at);
        Vec *g = (void *)(gradient + at);
        float z = item->layers.z1[o];
        for (int v = 0; v < VECS / 2; v++) {
            slope[v] += z * w[v];
            g[v] += z * p[v];
        }
    }
    for (int v = 0; v < VECS / 2; v++) {
        int partner = v + VECS / 2;
        down->v[v] = slope[v] * active->v[partner];
        down->v[partner] = slope[v] * active->v[v];
        inside_only(&down->v[v], &active->v[v]);
        inside_only(&down->v[partner], &active->v[partner]);
    }
}

static void backward_tile(Pass *pass, const float *weights, float *gradient, int tile)
{
    const NetShape *shape = &pass->shape;
    float *rows = gradient + shape_row(shape, tile, 0);
    Tile *bias = (void *)(gradient + shape->bias + (size_t)tile * TRAIN_TILE);
    const Tile *active = pass->active + (size_t)tile * TRAIN_GROUP * SIDES;
    for (int i = 0; i < pass->count; i++) {
        const Item *item = &pass->items[i];
        for (int side = 0; side < SIDES; side++, active++) {
            Tile down;
            if (shape->layers)
                slopes_from_layers(pass, weights, gradient, item, side, tile, active, &down);
            else
                slopes_from_output(pass, weights, gradient, item, side, tile, active, &down);
            for (int v = 0; v < VECS; v++)
                bias->v[v] += down.v[v];
            add_rows(rows, &down, item->features[side], item->pieces);
        }
    }
}

static void backward(Pass *pass, const float *weights, float *gradient)
{
    const NetShape *shape = &pass->shape;
    for (int i = 0; i < pass->count; i++) {
        Item *item = &pass->items[i];
        if (shape->layers)
            layers_backward(shape, weights, gradient, item->bucket, &item->layers, item->slope);
        else
            gradient[shape->out_bias + (size_t)item->bucket] += item->slope;
    }
    for (int tile = 0; tile < pass->tiles; tile++)
        backward_tile(pass, weights, gradient, tile);
}

/* -- Both -- */

double pass_run(Pass *pass, const float *weights, float *gradient, const Work *work)
{
    double loss = 0;
    for (size_t from = work->begin; from < work->end; from += TRAIN_GROUP) {
        load_group(pass, work, from);
        forward(pass, weights);
        loss += take_losses(pass, weights);
        if (gradient)
            backward(pass, weights, gradient);
    }
    return loss;
}

void pass_outputs(Pass *pass, const float *weights, const Sample *samples, size_t count, float *out,
                  float *z)
{
    Work work = {.samples = samples, .end = count, .sigmoid_scale = 1};
    for (size_t from = 0; from < count; from += TRAIN_GROUP) {
        load_group(pass, &work, from);
        forward(pass, weights);
        for (int i = 0; i < pass->count; i++) {
            float output = output_of(pass, weights, i);
            size_t at = from + (size_t)i;
            if (out)
                out[at] = output;
            if (z)
                memcpy(z + at * NET_L1, pass->items[i].layers.z1, NET_L1 * sizeof *z);
        }
    }
}
