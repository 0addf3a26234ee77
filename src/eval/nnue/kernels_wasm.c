/* Vectors of eight, in WebAssembly. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

typedef v128_t Vec;
typedef v128_t Sum;
enum { LANES = 8 };

static inline Vec vec_load(const int16_t *at)
{
    return wasm_v128_load(at);
}

static inline void vec_store(int16_t *at, Vec v)
{
    wasm_v128_store(at, v);
}

static inline Vec vec_add(Vec a, Vec b)
{
    return wasm_i16x8_add(a, b);
}

static inline Vec vec_sub(Vec a, Vec b)
{
    return wasm_i16x8_sub(a, b);
}

static inline Sum sum_zero(void)
{
    return wasm_i32x4_const_splat(0);
}

static inline Sum sum_merge(Sum a, Sum b)
{
    return wasm_i32x4_add(a, b);
}

static inline Vec vec_clamp(Vec a)
{
    return wasm_i16x8_min(wasm_i16x8_max(a, wasm_i16x8_const_splat(0)),
                          wasm_i16x8_const_splat(255));
}

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = vec_clamp(a);
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(wasm_i16x8_mul(v, w), v));
}

static inline int32_t sum_total(Sum s)
{
    s = wasm_i32x4_add(s, wasm_i32x4_shuffle(s, s, 2, 3, 0, 1));
    s = wasm_i32x4_add(s, wasm_i32x4_shuffle(s, s, 1, 0, 3, 2));
    return wasm_i32x4_extract_lane(s, 0);
}

/* 255 * 255 fits 16 bits without a sign. */
static inline Vec vec_product(Vec a, Vec b)
{
    return wasm_u16x8_shr(wasm_i16x8_mul(vec_clamp(a), vec_clamp(b)), 9);
}

static inline Vec vec_pack(Vec low, Vec high)
{
    return wasm_u8x16_narrow_i16x8(low, high);
}

static inline uint32_t vec_nonzero(Vec v)
{
    return (uint32_t)wasm_i32x4_bitmask(wasm_i32x4_ne(v, wasm_i32x4_const_splat(0)));
}

static inline Vec vec_all32(int32_t x)
{
    return wasm_i32x4_splat(x);
}

static inline Sum sum_load(const int32_t *at)
{
    return wasm_v128_load(at);
}

static inline void sum_store(int32_t *at, Sum s)
{
    wasm_v128_store(at, s);
}

/* Products of bytes do not exist: the even and the odd bytes of both sides are widened to 16 bits,
 * which needs no shuffle, and the compiler moves the part of the inputs out of the loop over the
 * weights. */
static inline Sum sum_dot4(Sum sum, Vec in, Vec w)
{
    Vec even = wasm_v128_and(in, wasm_i16x8_const_splat(0xff)), odd = wasm_u16x8_shr(in, 8);
    Vec even_w = wasm_i16x8_shr(wasm_i16x8_shl(w, 8), 8), odd_w = wasm_i16x8_shr(w, 8);
    sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(even, even_w));
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(odd, odd_w));
}

static inline Sum sum_madd(Sum sum, Vec a, Vec b)
{
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(a, b));
}

#include "eval/nnue/kernels_body.inc"

const NnueKernels *nnue_kernels_wasm(void)
{
    static const NnueKernels kernels = {"wasm", update, output, layers};
    return &kernels;
}

#else

const NnueKernels *nnue_kernels_wasm(void)
{
    return NULL;
}

#endif
