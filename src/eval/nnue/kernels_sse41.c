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

static inline Vec vec_clamp(Vec a)
{
    return _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), _mm_set1_epi16(255));
}

static inline Vec vec_product(Vec a, Vec b)
{
    return _mm_mulhi_epi16(_mm_slli_epi16(vec_clamp(a), 7), vec_clamp(b));
}

static inline Vec vec_pack(Vec low, Vec high)
{
    return _mm_packus_epi16(low, high);
}

static inline uint32_t vec_nonzero(Vec v)
{
    __m128i zero = _mm_cmpeq_epi32(v, _mm_setzero_si128());
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(zero)) ^ 0xf;
}

static inline Vec vec_all32(int32_t x)
{
    return _mm_set1_epi32(x);
}

static inline Sum sum_load(const int32_t *at)
{
    return _mm_load_si128((const __m128i *)at);
}

static inline void sum_store(int32_t *at, Sum s)
{
    _mm_store_si128((__m128i *)at, s);
}

static inline Sum sum_dot4(Sum sum, Vec in, Vec w)
{
    __m128i pairs = _mm_maddubs_epi16(in, w);
    return _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
}

static inline Sum sum_madd(Sum sum, Vec a, Vec b)
{
    return _mm_add_epi32(sum, _mm_madd_epi16(a, b));
}

#include "eval/nnue/kernels_body.inc"

const NnueKernels *nnue_kernels_sse41(void)
{
    static const NnueKernels kernels = {"sse4.1", update, output, layers};
    return &kernels;
}

#else

const NnueKernels *nnue_kernels_sse41(void)
{
    return NULL;
}

#endif
