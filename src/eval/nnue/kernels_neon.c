/* Vectors of eight, on ARM. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#if defined(__aarch64__)

#include <arm_neon.h>

typedef int16x8_t Vec;
typedef int32x4_t Sum;
enum { LANES = 8 };

static inline Vec vec_load(const int16_t *at)
{
    return vld1q_s16(at);
}

static inline void vec_store(int16_t *at, Vec v)
{
    vst1q_s16(at, v);
}

static inline Vec vec_add(Vec a, Vec b)
{
    return vaddq_s16(a, b);
}

static inline Vec vec_sub(Vec a, Vec b)
{
    return vsubq_s16(a, b);
}

static inline Sum sum_zero(void)
{
    return vdupq_n_s32(0);
}

static inline Sum sum_merge(Sum a, Sum b)
{
    return vaddq_s32(a, b);
}

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), vdupq_n_s16(255));
    Vec vw = vmulq_s16(v, w);
    sum = vmlal_s16(sum, vget_low_s16(vw), vget_low_s16(v));
    return vmlal_high_s16(sum, vw, v);
}

static inline int32_t sum_total(Sum s)
{
    return vaddvq_s32(s);
}

#include "eval/nnue/kernels_body.inc"

const NnueKernels *nnue_kernels_neon(void)
{
    static const NnueKernels kernels = {"neon", update, output};
    return &kernels;
}

#else

const NnueKernels *nnue_kernels_neon(void)
{
    return NULL;
}

#endif
