/* Vectors of thirty-two, with products added to the sum in one instruction. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#if defined(__AVX512VNNI__) && defined(__AVX512BW__)

#include <immintrin.h>

typedef __m512i Vec;
typedef __m512i Sum;
enum { LANES = 32 };

static inline Vec vec_load(const int16_t *at)
{
    return _mm512_load_si512(at);
}

static inline void vec_store(int16_t *at, Vec v)
{
    _mm512_store_si512(at, v);
}

static inline Vec vec_add(Vec a, Vec b)
{
    return _mm512_add_epi16(a, b);
}

static inline Vec vec_sub(Vec a, Vec b)
{
    return _mm512_sub_epi16(a, b);
}

static inline Sum sum_zero(void)
{
    return _mm512_setzero_si512();
}

static inline Sum sum_merge(Sum a, Sum b)
{
    return _mm512_add_epi32(a, b);
}

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), _mm512_set1_epi16(255));
    return _mm512_dpwssd_epi32(sum, _mm512_mullo_epi16(v, w), v);
}

static inline int32_t sum_total(Sum s)
{
    return _mm512_reduce_add_epi32(s);
}

#include "eval/nnue/kernels_body.inc"

const NnueKernels *nnue_kernels_vnni(void)
{
    static const NnueKernels kernels = {"vnni", update, output};
    return &kernels;
}

#else

const NnueKernels *nnue_kernels_vnni(void)
{
    return NULL;
}

#endif
