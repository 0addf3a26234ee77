#include "train/train_int.h"

#include <math.h>

/* How much of the moments a step keeps. */
static const double FIRST_KEEP = 0.9, SECOND_KEEP = 0.999;

AdamStep adam_step(double rate, double decay, int batch, uint64_t step)
{
    double n = (double)step;
    return (AdamStep){
        .rate = (float)rate,
        .decay = (float)(rate * decay),
        .scale = 1.0f / (float)batch,
        .first_keep = (float)FIRST_KEEP,
        .second_keep = (float)SECOND_KEEP,
        .first_factor = (float)(1 / (1 - pow(FIRST_KEEP, n))),
        .second_factor = (float)(1 / (1 - pow(SECOND_KEEP, n))),
    };
}

enum { STRIP = 256 };

static inline float stride_of(const Adam *adam, const AdamStep *step, size_t i, float gradient)
{
    return adam_stride(step, &adam->first[i], &adam->second[i], gradient);
}

static inline float limit_of(const Adam *adam, size_t i)
{
    const NetShape *shape = &adam->shape;
    if (i < shape->out)
        return TRAIN_CLIP;
    return i < shape->out_end ? adam->out_clip : TRAIN_LAYER_CLIP;
}

/* Moves parameter `i` and keeps it within its limit. */
static inline void move(const Adam *adam, const AdamStep *step, size_t i, float stride)
{
    float w = adam->weights[i], limit = limit_of(adam, i);
    w -= step->decay * w;
    w -= stride;
    adam->weights[i] = w > limit ? limit : w < -limit ? -limit : w;
}

/* The gradients of a strip, added up in the order of the threads. */
static void take_sum(float *const *gradients, int threads, size_t from, size_t count,
                     float sum[STRIP])
{
    for (size_t i = 0; i < count; i++)
        sum[i] = 0;
    for (int t = 0; t < threads; t++) {
        float *g = gradients[t] + from;
        for (size_t i = 0; i < count; i++) {
            sum[i] += g[i];
            g[i] = 0;
        }
    }
}

static void apply_plain(const Adam *adam, const AdamStep *step, float *const *gradients,
                        int threads, size_t begin, size_t end)
{
    float sum[STRIP];
    for (size_t from = begin; from < end; from += STRIP) {
        size_t count = end - from < STRIP ? end - from : STRIP;
        take_sum(gradients, threads, from, count, sum);
        for (size_t i = 0; i < count; i++)
            move(adam, step, from + i, stride_of(adam, step, from + i, sum[i]));
    }
}

/* Input rows of all king buckets together with those of the factoriser. */
static void apply_strip(const Adam *adam, const AdamStep *step, float *const *gradients,
                        int threads, size_t from)
{
    enum { TILE_SIZE = FEATURE_COUNT * TRAIN_TILE };
    const size_t buckets = (size_t)adam->shape.king_buckets;
    size_t tile = from / TILE_SIZE, inside = from % TILE_SIZE;
    float sums[KING_BUCKETS_MAX][STRIP], all[STRIP] = {0};
    for (size_t b = 0; b < buckets; b++) {
        take_sum(gradients, threads, (tile * buckets + b) * TILE_SIZE + inside, STRIP, sums[b]);
        for (int i = 0; i < STRIP; i++)
            all[i] += sums[b][i];
    }
    for (size_t i = 0; i < STRIP; i++)
        all[i] = stride_of(adam, step, adam->shape.shared + from + i, all[i]);
    for (size_t b = 0; b < buckets; b++) {
        size_t at = (tile * buckets + b) * TILE_SIZE + inside;
        for (size_t i = 0; i < STRIP; i++)
            move(adam, step, at + i, all[i] + stride_of(adam, step, at + i, sums[b][i]));
    }
}

void adam_apply(const Adam *adam, const AdamStep *step, float *const *gradients, int threads,
                int index)
{
    const NetShape *shape = &adam->shape;
    bool factorised = shape->king_buckets > 1;
    size_t plain = factorised ? shape->bias : 0, lanes = (shape->shared - plain) / TRAIN_LANES;
    apply_plain(adam, step, gradients, threads,
                plain + train_part(lanes, index, threads) * TRAIN_LANES,
                plain + train_part(lanes, index + 1, threads) * TRAIN_LANES);
    if (!factorised)
        return;
    size_t strips = (shape->count - shape->shared) / STRIP;
    for (size_t i = train_part(strips, index, threads); i < train_part(strips, index + 1, threads);
         i++)
        apply_strip(adam, step, gradients, threads, i * STRIP);
}
