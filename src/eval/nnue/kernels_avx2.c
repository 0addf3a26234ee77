/* Vectors of sixteen. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#if defined(__AVX2__)

#include <immintrin.h>

typedef __m256i Vec;
typedef __m256i Sum;
enum { LANES = 16 };

static inline Vec vec_load(const int16_t *at)
{
    return _mm256_load_si256((const __m256i *)at);
}

static inline void vec_store(int16_t *at, Vec v)
{
    _mm256_store_si256((__m256i *)at, v);
}

static inline Vec vec_add(Vec a, Vec b)
{
    return _mm256_add_epi16(a, b);
}

static inline Vec vec_sub(Vec a, Vec b)
{
    return _mm256_sub_epi16(a, b);
}

static inline Sum sum_zero(void)
{
    return _mm256_setzero_si256();
}

static inline Sum sum_merge(Sum a, Sum b)
{
    return _mm256_add_epi32(a, b);
}

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(255));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_mullo_epi16(v, w), v));
}

static inline int32_t sum_total(Sum s)
{
    __m128i h = _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    h = _mm_add_epi32(h, _mm_shuffle_epi32(h, 0x4e));
    h = _mm_add_epi32(h, _mm_shuffle_epi32(h, 0xb1));
    return _mm_cvtsi128_si32(h);
}

static inline Vec vec_clamp(Vec a)
{
    return _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(255));
}

static inline Vec vec_product(Vec a, Vec b)
{
    return _mm256_mulhi_epi16(_mm256_slli_epi16(vec_clamp(a), 7), vec_clamp(b));
}

static inline Vec vec_pack(Vec low, Vec high)
{
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xd8);
}

static inline uint32_t vec_nonzero(Vec v)
{
    __m256i zero = _mm256_cmpeq_epi32(v, _mm256_setzero_si256());
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(zero)) ^ 0xff;
}

static inline Vec vec_all32(int32_t x)
{
    return _mm256_set1_epi32(x);
}

static inline Sum sum_load(const int32_t *at)
{
    return _mm256_load_si256((const __m256i *)at);
}

static inline void sum_store(int32_t *at, Sum s)
{
    _mm256_store_si256((__m256i *)at, s);
}

static inline Sum sum_dot4(Sum sum, Vec in, Vec w)
{
    __m256i pairs = _mm256_maddubs_epi16(in, w);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline Sum sum_madd(Sum sum, Vec a, Vec b)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
}

#include "eval/nnue/kernels_body.inc"

const NnueKernels *nnue_kernels_avx2(void)
{
    static const NnueKernels kernels = {"avx2", update, output, layers};
    return &kernels;
}

#else

const NnueKernels *nnue_kernels_avx2(void)
{
    return NULL;
}

#endif
