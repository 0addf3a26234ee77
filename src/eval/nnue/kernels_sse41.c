/* Vectors of eight. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#define KERNELS nnue_kernels_sse41

#if defined(__SSE4_1__)

#include <immintrin.h>

#define KERNELS_NAME "sse4.1"
#define X(op) _mm_##op
#define XI(op) _mm_##op##_si128
typedef __m128i Vec;
enum { LANES = 8 };

#define vec_pack _mm_packus_epi16

static inline int32_t sum_total(Vec s)
{
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s);
}

static inline uint32_t vec_nonzero(Vec v)
{
    __m128i zero = _mm_cmpeq_epi32(v, _mm_setzero_si128());
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(zero)) ^ 0xf;
}

#include "eval/nnue/kernels_x86.inc"

#else
const NnueKernels KERNELS = {0};
#endif
