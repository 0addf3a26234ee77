/* The loops of the net that cost time, once for every instruction set. All of them give the same
 * bits: sums wrap around in 16 and 32 bits, so that the order of additions does not matter. */
#ifndef EVAL_NNUE_KERNELS_H
#define EVAL_NNUE_KERNELS_H

#include "base/cpu.h"
#include "eval/nnue/features.h"
#include "eval/nnue/net.h"

#include <stdint.h>

/* Inputs that went on and off between two positions. */
typedef struct NnueDelta {
    int adds, subs;
    uint16_t add[FEATURE_MAX_ACTIVE], sub[FEATURE_MAX_ACTIVE];
} NnueDelta;

/* The layers of one output bucket, as struct Net lays them out. */
typedef struct NnueLayers {
    const int8_t *l1_weights;
    const int32_t *l1_bias;
    const int16_t *l2_weights;
    const int32_t *l2_bias;
    const int16_t *l3_weights;
    int32_t out_bias;
    int qb_bits; /* the logarithm of the net's qb */
} NnueLayers;

typedef struct NnueKernels {
    const char *name;
    /* out = in + the weights of what went on - the weights of what went off; out may be in. */
    void (*update)(int16_t *out, const int16_t *in, const int16_t *weights, int hidden,
                   const NnueDelta *delta);
    /* The sum of clamp(a, 0, 255)^2 * w over both accumulators, modulo 2^32. Needs |w| <= 127. */
    int32_t (*output)(const int16_t *us, const int16_t *them, const int16_t *weights, int hidden);
    /* Pairwise products and the layers behind them: the output, with one as 2^22. */
    int32_t (*layers)(const int16_t *us, const int16_t *them, const NnueLayers *layers, int hidden);
} NnueKernels;

/* The fastest kernels for a processor. */
const NnueKernels *nnue_kernels(CpuFeatures cpu);

/* All that a processor can run, the fastest first and the scalar ones last. Returns how many. */
enum { NNUE_KERNELS_MAX = 7 };
int nnue_kernels_all(CpuFeatures cpu, const NnueKernels *all[NNUE_KERNELS_MAX]);

/* One set for each file; without a name where this build does not have it. */
extern const NnueKernels nnue_kernels_scalar, nnue_kernels_sse41, nnue_kernels_avx2;
extern const NnueKernels nnue_kernels_avx512, nnue_kernels_vnni, nnue_kernels_neon;
extern const NnueKernels nnue_kernels_wasm;

#endif
