/* The activations behind the first two layers, by the formulas of net.h: the same for every kernel,
 * and plain enough for compilers to make vectors of. */
#ifndef EVAL_NNUE_KERNELS_LAYERS_H
#define EVAL_NNUE_KERNELS_LAYERS_H

#include "eval/nnue/net.h"

/* From the sums of the first layer to the inputs of the second. */
static inline void layer_activate(const int32_t z[NET_L1], int qb_bits, int16_t in[2 * NET_L1])
{
    const int32_t limit = 127 << qb_bits;
    for (int i = 0; i < NET_L1; i++) {
        int32_t c = z[i] > limit ? limit : z[i] < -limit ? -limit : z[i];
        int32_t x = c * 129 >> (qb_bits + 2);
        in[i] = (int16_t)(x > 0 ? x : 0);
        in[NET_L1 + i] = (int16_t)(x * x >> 12 < 4096 ? x * x >> 12 : 4095);
    }
}

/* From a sum of the second layer to an input of the third. */
static inline int32_t layer_clamp(int32_t y)
{
    int32_t x = y >> 10;
    return x < 0 ? 0 : x > NET_Q_ACTIVATION - 1 ? NET_Q_ACTIVATION - 1 : x;
}

#endif
