/* Training on the GPU: the same steps as on the CPU, some ten times as fast. Only a build
 * with CUDA=1 has it; any other says so when it is asked for.
 *
 * This header is read by C and by CUDA C++, so it speaks in plain types. Sums are added up in no
 * fixed order there: two runs agree to the last few bits, not in all of them. */
#ifndef TRAIN_TRAIN_GPU_H
#define TRAIN_TRAIN_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The layout of all parameters in one block (NetShape), and of the positions (Sample,
 * 32 bytes each). */
typedef struct GpuPlan {
    int hidden, buckets, king_buckets, layers, features, tile;
    size_t bias, out, out_end, l1_bias, l2, l2_bias, l3, out_bias, shared, count;
    uint8_t king_bucket[64]; /* of a king in its own view */
    const void *train, *held_out;
    size_t train_count, held_out_count;
    float wdl, score_scale;
    float clip, out_clip,
        layer_clip; /* limits of weights: inputs; outputs or first layer; the rest */
} GpuPlan;

/* The order of an epoch (Shuffle). */
typedef struct GpuOrder {
    uint64_t count;
    int half_bits;
    uint64_t key[4];
} GpuOrder;

/* One step of AdamW (AdamStep). */
typedef struct GpuStep {
    float rate, decay, scale, first_factor, second_factor, first_keep, second_keep;
} GpuStep;

typedef struct Gpu Gpu;

/* Each returns NULL when it went well, or why not; that text lives as long as the program. */

/* Whether this program can do it at all. */
const char *gpu_absent(void);

const char *gpu_open(Gpu **gpu, const GpuPlan *plan);
const char *gpu_put(Gpu *gpu, const float *weights, const float *first, const float *second);
const char *gpu_get(Gpu *gpu, float *weights, float *first, float *second);

/* Learns from `batch` positions of the order beginning with `from`; *loss is their summed loss. */
const char *gpu_learn(Gpu *gpu, const GpuOrder *order, size_t from, int batch, const GpuStep *step,
                      double *loss);

/* The gradient and loss of the first `count` positions, summed; nothing moves. */
const char *gpu_gradient(Gpu *gpu, size_t count, float *gradient, double *loss);

/* The summed loss of all held-out positions. */
const char *gpu_validate(Gpu *gpu, double *loss);

void gpu_close(Gpu *gpu);

#ifdef __cplusplus
}
#endif
#endif
