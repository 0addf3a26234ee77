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

/* Each of them, for tests: NULL where this build does not have it. */
const NnueKernels *nnue_kernels_scalar(void);
const NnueKernels *nnue_kernels_sse41(void);
const NnueKernels *nnue_kernels_avx2(void);
const NnueKernels *nnue_kernels_avx512(void);
const NnueKernels *nnue_kernels_vnni(void);
const NnueKernels *nnue_kernels_neon(void);
const NnueKernels *nnue_kernels_wasm(void);

#endif
