/* Vectors of thirty-two, with products added to the sum in one instruction. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#if defined(__AVX512VNNI__) && defined(__AVX512BW__)

#include "eval/nnue/kernels_512.inc"

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), _mm512_set1_epi16(255));
    return _mm512_dpwssd_epi32(sum, _mm512_mullo_epi16(v, w), v);
}

static inline Sum sum_dot4(Sum sum, Vec in, Vec w)
{
    return _mm512_dpbusd_epi32(sum, in, w);
}

static inline Sum sum_madd(Sum sum, Vec a, Vec b)
{
    return _mm512_dpwssd_epi32(sum, a, b);
}

#include "eval/nnue/kernels_body.inc"

const NnueKernels *nnue_kernels_vnni(void)
{
    static const NnueKernels kernels = {"vnni", update, output, layers};
    return &kernels;
}

#else

const NnueKernels *nnue_kernels_vnni(void)
{
    return NULL;
}

#endif
