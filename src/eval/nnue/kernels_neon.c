/* Vectors of eight, on ARM. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#define KERNELS nnue_kernels_neon

#if defined(__aarch64__)

#include <arm_neon.h>

#define KERNELS_NAME "neon"
typedef int16x8_t Vec;
typedef int32x4_t Sum;
enum { LANES = 8 };

#define vec_load vld1q_s16
#define vec_store vst1q_s16
#define vec_add vaddq_s16
#define vec_sub vsubq_s16
#define vec_all32(x) vreinterpretq_s16_s32(vdupq_n_s32(x))
#define sum_zero() vdupq_n_s32(0)
#define sum_merge vaddq_s32
#define sum_total vaddvq_s32
#define sum_load vld1q_s32
#define sum_store vst1q_s32

static inline Vec vec_clamp(Vec a)
{
    return vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), vdupq_n_s16(255));
}

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = vec_clamp(a), vw = vmulq_s16(v, w);
    sum = vmlal_s16(sum, vget_low_s16(vw), vget_low_s16(v));
    return vmlal_high_s16(sum, vw, v);
}

/* vqdmulh doubles the product before it takes the upper half. */
static inline Vec vec_product(Vec a, Vec b)
{
    return vqdmulhq_s16(vshlq_n_s16(vec_clamp(a), 6), vec_clamp(b));
}

static inline Vec vec_pack(Vec low, Vec high)
{
    return vreinterpretq_s16_u8(vcombine_u8(vqmovun_s16(low), vqmovun_s16(high)));
}

static inline uint32_t vec_nonzero(Vec v)
{
    static const uint32_t bits[4] = {1, 2, 4, 8};
    uint32x4_t groups = vreinterpretq_u32_s16(v);
    return vaddvq_u32(vandq_u32(vtstq_u32(groups, groups), vld1q_u32(bits)));
}

/* The inputs are at most 127: signed bytes as well as unsigned ones. */
static inline Sum sum_dot4(Sum sum, Vec in, Vec w)
{
    int8x16_t a = vreinterpretq_s8_s16(in), b = vreinterpretq_s8_s16(w);
    int16x8_t low = vmull_s8(vget_low_s8(a), vget_low_s8(b)), high = vmull_high_s8(a, b);
    return vpadalq_s16(sum, vpaddq_s16(low, high));
}

static inline Sum sum_madd(Sum sum, Vec a, Vec b)
{
    int32x4_t low = vmull_s16(vget_low_s16(a), vget_low_s16(b)), high = vmull_high_s16(a, b);
    return vaddq_s32(sum, vpaddq_s32(low, high));
}

#include "eval/nnue/kernels_body.inc"

#else
const NnueKernels KERNELS = {0};
#endif
