/* Vectors of eight. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#if defined(__SSE4_1__)

#include <immintrin.h>

typedef __m128i Vec;
typedef __m128i Sum;
enum { LANES = 8 };

static inline Vec vec_load(const int16_t *at)
{
    return _mm_load_si128((const __m128i *)at);
}

static inline void vec_store(int16_t *at, Vec v)
{
    _mm_store_si128((__m128i *)at, v);
}

static inline Vec vec_add(Vec a, Vec b)
{
    return _mm_add_epi16(a, b);
}

static inline Vec vec_sub(Vec a, Vec b)
{
    return _mm_sub_epi16(a, b);
}

static inline Sum sum_zero(void)
{
    return _mm_setzero_si128();
}

static inline Sum sum_merge(Sum a, Sum b)
{
    return _mm_add_epi32(a, b);
}

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), _mm_set1_epi16(255));
    return _mm_add_epi32(sum, _mm_madd_epi16(_mm_mullo_epi16(v, w), v));
}

static inline int32_t sum_total(Sum s)
{
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s);
}

#include "eval/nnue/kernels_body.inc"

const NnueKernels *nnue_kernels_sse41(void)
{
    static const NnueKernels kernels = {"sse4.1", update, output};
    return &kernels;
}

#else

const NnueKernels *nnue_kernels_sse41(void)
{
    return NULL;
}

#endif
