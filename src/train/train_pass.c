/* The work on positions: from inputs to the loss and back to gradients. Nearly all of the time of a
 * training is spent in the two innermost loops, over the rows of the inputs that are on. */
#include "train/train_int.h"

#include <math.h>
#include <stdlib.h>

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
    int men, bucket;
    float target, slope; /* slope: of the loss over the output */
} Item;

struct Pass {
    Shape shape;
    int tiles, count;
    Item items[TRAIN_GROUP];
    Vec sums[TRAIN_GROUP]; /* of each position's output, before its lanes are added */
    Tile *active;          /* [tiles][TRAIN_GROUP][SIDES]: neurons after clamping */
};

Pass *pass_open(const Shape *shape)
{
    size_t size = (sizeof(Pass) + 63) / 64 * 64;
    Pass *pass = aligned_alloc(64, size);
    if (!pass)
        return NULL;
    pass->shape = *shape;
    pass->tiles = shape->hidden / TRAIN_TILE;
    pass->count = 0;
    pass->active = aligned_alloc(64, (size_t)pass->tiles * TRAIN_GROUP * SIDES * sizeof(Tile));
    if (!pass->active) {
        free(pass);
        return NULL;
    }
    return pass;
}

void pass_close(Pass *pass)
{
    if (!pass)
        return;
    free(pass->active);
    free(pass);
}

/* -- The order of the positions -- */

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

Shuffle shuffle_make(uint64_t count, uint64_t seed, uint64_t epoch)
{
    Shuffle s = {.count = count, .half_bits = 1};
    while (s.half_bits < 31 && 1ULL << 2 * s.half_bits < count)
        s.half_bits++;
    for (uint64_t i = 0; i < 4; i++)
        s.key[i] = mixed(mixed(seed + 0x9e3779b97f4a7c15ULL) ^ mixed(epoch * 4 + i + 1));
    return s;
}

uint64_t shuffle_at(const Shuffle *s, uint64_t index)
{
    uint64_t mask = (1ULL << s->half_bits) - 1;
    do {
        uint64_t left = index >> s->half_bits, right = index & mask;
        for (int i = 0; i < 4; i++) {
            uint64_t next = left ^ (mixed(right + s->key[i]) & mask);
            left = right;
            right = next;
        }
        index = left << s->half_bits | right;
    } while (index >= s->count);
    return index;
}

/* -- Loading a group -- */

static float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

static float target_of(const Sample *s, const Work *work)
{
    float expected = sigmoid((float)s->score / (float)work->unit), wdl = (float)work->wdl;
    return wdl * (float)s->result / 2 + (1 - wdl) * expected;
}

static void load_item(Pass *pass, int index, const Sample *s, const Work *work)
{
    Item *item = &pass->items[index];
    item->men = sample_features(s, item->features[0], item->features[1]);
    item->bucket = feature_bucket(pass->shape.buckets, item->men);
    item->target = target_of(s, work);
    pass->sums[index] = (Vec){0};
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

static inline const Tile *tile_at(const float *weights)
{
    return (const Tile *)(const void *)weights;
}

static inline void clamp(Vec *x)
{
    const Vec zero = {0}, one = zero + 1.0f;
    Mask positive = *x > zero, over = *x > one;
    *x = (Vec)(((Mask)*x & positive & ~over) | ((Mask)one & over));
}

/* The neurons of one tile for one side, clamped to 0 .. 1. */
static inline void sum_rows(const float *rows, const Tile *bias, const uint16_t *features, int men,
                            Tile *out)
{
    Vec a = bias->v[0], b = bias->v[1], c = bias->v[2], d = bias->v[3];
    for (int k = 0; k < men; k++) {
        const Tile *row = tile_at(rows + (size_t)features[k] * TRAIN_TILE);
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

static void forward_tile(Pass *pass, const float *weights, int tile)
{
    const Shape *shape = &pass->shape;
    const float *rows = weights + shape_row(tile, 0);
    size_t column = (size_t)tile * TRAIN_TILE;
    const Tile *bias = tile_at(weights + shape->bias + column);
    Tile *active = pass->active + (size_t)tile * TRAIN_GROUP * SIDES;
    for (int i = 0; i < pass->count; i++) {
        const Item *item = &pass->items[i];
        Vec sum = pass->sums[i];
        for (int side = 0; side < SIDES; side++, active++) {
            sum_rows(rows, bias, item->features[side], item->men, active);
            const Tile *out = tile_at(weights + shape_out(shape, item->bucket, side) + column);
            for (int v = 0; v < VECS; v++)
                sum += active->v[v] * active->v[v] * out->v[v];
        }
        pass->sums[i] = sum;
    }
}

static float output_of(const Pass *pass, const float *weights, int index)
{
    float sum = weights[pass->shape.out_bias + (size_t)pass->items[index].bucket];
    for (int lane = 0; lane < TRAIN_LANES; lane++)
        sum += pass->sums[index][lane];
    return sum;
}

static void forward(Pass *pass, const float *weights)
{
    for (int tile = 0; tile < pass->tiles; tile++)
        forward_tile(pass, weights, tile);
}

static double settle_losses(Pass *pass, const float *weights)
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

static inline Tile *gradient_at(float *gradient)
{
    return (Tile *)(void *)gradient;
}

/* From the slope of the output to those of the neurons: 2x inside 0 .. 1, nothing outside. */
static inline void slope_of(const Vec *active, const Vec *out, float slope, Vec *down)
{
    const Vec zero = {0}, one = zero + 1.0f;
    Mask inside = *active < one;
    Vec d = (2 * slope) * *active * *out;
    *down = (Vec)((Mask)d & inside);
}

static inline void add_rows(float *rows, const Tile *down, const uint16_t *features, int men)
{
    const Vec a = down->v[0], b = down->v[1], c = down->v[2], d = down->v[3];
    for (int k = 0; k < men; k++) {
        Tile *row = gradient_at(rows + (size_t)features[k] * TRAIN_TILE);
        row->v[0] += a;
        row->v[1] += b;
        row->v[2] += c;
        row->v[3] += d;
    }
}

static void backward_tile(Pass *pass, const float *weights, float *gradient, int tile)
{
    const Shape *shape = &pass->shape;
    float *rows = gradient + shape_row(tile, 0);
    size_t column = (size_t)tile * TRAIN_TILE;
    Tile *bias = gradient_at(gradient + shape->bias + column);
    const Tile *active = pass->active + (size_t)tile * TRAIN_GROUP * SIDES;
    for (int i = 0; i < pass->count; i++) {
        const Item *item = &pass->items[i];
        for (int side = 0; side < SIDES; side++, active++) {
            size_t at = shape_out(shape, item->bucket, side) + column;
            const Tile *out = tile_at(weights + at);
            Tile *out_gradient = gradient_at(gradient + at), down;
            for (int v = 0; v < VECS; v++) {
                out_gradient->v[v] += item->slope * active->v[v] * active->v[v];
                slope_of(&active->v[v], &out->v[v], item->slope, &down.v[v]);
                bias->v[v] += down.v[v];
            }
            add_rows(rows, &down, item->features[side], item->men);
        }
    }
}

static void backward(Pass *pass, const float *weights, float *gradient)
{
    for (int i = 0; i < pass->count; i++)
        gradient[pass->shape.out_bias + (size_t)pass->items[i].bucket] += pass->items[i].slope;
    for (int tile = 0; tile < pass->tiles; tile++)
        backward_tile(pass, weights, gradient, tile);
}

/* -- Both -- */

double pass_learn(Pass *pass, const float *weights, float *gradient, const Work *work)
{
    double loss = 0;
    for (size_t from = work->begin; from < work->end; from += TRAIN_GROUP) {
        load_group(pass, work, from);
        forward(pass, weights);
        loss += settle_losses(pass, weights);
        backward(pass, weights, gradient);
    }
    return loss;
}

double pass_loss(Pass *pass, const float *weights, const Work *work)
{
    double loss = 0;
    for (size_t from = work->begin; from < work->end; from += TRAIN_GROUP) {
        load_group(pass, work, from);
        forward(pass, weights);
        loss += settle_losses(pass, weights);
    }
    return loss;
}

void pass_outputs(Pass *pass, const float *weights, const Sample *samples, int count, float *out)
{
    Work work = {.samples = samples, .end = (size_t)count, .unit = 1};
    load_group(pass, &work, 0);
    forward(pass, weights);
    for (int i = 0; i < count; i++)
        out[i] = output_of(pass, weights, i);
}
