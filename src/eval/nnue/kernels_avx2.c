/* Vectors of sixteen. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#define KERNELS nnue_kernels_avx2

#if defined(__AVX2__)

#include <immintrin.h>

#define KERNELS_NAME "avx2"
#define X(op) _mm256_##op
#define XI(op) _mm256_##op##_si256
typedef __m256i Vec;
enum { LANES = 16 };

static inline int32_t sum_total(Vec s)
{
    __m128i h = _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    h = _mm_add_epi32(h, _mm_shuffle_epi32(h, 0x4e));
    h = _mm_add_epi32(h, _mm_shuffle_epi32(h, 0xb1));
    return _mm_cvtsi128_si32(h);
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

#include "eval/nnue/kernels_x86.inc"

#else
const NnueKernels KERNELS = {0};
#endif
