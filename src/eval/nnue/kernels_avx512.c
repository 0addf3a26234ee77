/* Vectors of thirty-two. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#if defined(__AVX512F__) && defined(__AVX512BW__)

#include "eval/nnue/kernels_512.inc"

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), _mm512_set1_epi16(255));
    return _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_mullo_epi16(v, w), v));
}

static inline Sum sum_dot4(Sum sum, Vec in, Vec w)
{
    __m512i pairs = _mm512_maddubs_epi16(in, w);
    return _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
}

static inline Sum sum_madd(Sum sum, Vec a, Vec b)
{
    return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
}

#include "eval/nnue/kernels_body.inc"

const NnueKernels *nnue_kernels_avx512(void)
{
    static const NnueKernels kernels = {"avx512", update, output, layers};
    return &kernels;
}

#else

const NnueKernels *nnue_kernels_avx512(void)
{
    return NULL;
}

#endif
