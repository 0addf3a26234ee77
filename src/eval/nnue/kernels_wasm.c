/* Vectors of eight, in WebAssembly. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#define KERNELS nnue_kernels_wasm

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

#define KERNELS_NAME "wasm"
typedef v128_t Vec;
typedef v128_t Sum;
enum { LANES = 8 };

#define vec_load wasm_v128_load
#define vec_store wasm_v128_store
#define vec_add wasm_i16x8_add
#define vec_sub wasm_i16x8_sub
#define vec_all32 wasm_i32x4_splat
#define vec_pack wasm_u8x16_narrow_i16x8
#define sum_zero() wasm_i32x4_const_splat(0)
#define sum_merge wasm_i32x4_add
#define sum_load wasm_v128_load
#define sum_store wasm_v128_store

static inline Vec vec_clamp(Vec a)
{
    return wasm_i16x8_min(wasm_i16x8_max(a, wasm_i16x8_const_splat(0)),
                          wasm_i16x8_const_splat(255));
}

/* 255 * 255 fits 16 bits without a sign. */
static inline Vec vec_product(Vec a, Vec b)
{
    return wasm_u16x8_shr(wasm_i16x8_mul(vec_clamp(a), vec_clamp(b)), 9);
}

static inline uint32_t vec_nonzero(Vec v)
{
    return (uint32_t)wasm_i32x4_bitmask(wasm_i32x4_ne(v, wasm_i32x4_const_splat(0)));
}

static inline Sum sum_madd(Sum sum, Vec a, Vec b)
{
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(a, b));
}

static inline Sum sum_take(Sum sum, Vec a, Vec w)
{
    Vec v = vec_clamp(a);
    return sum_madd(sum, wasm_i16x8_mul(v, w), v);
}

static inline int32_t sum_total(Sum s)
{
    s = wasm_i32x4_add(s, wasm_i32x4_shuffle(s, s, 2, 3, 0, 1));
    s = wasm_i32x4_add(s, wasm_i32x4_shuffle(s, s, 1, 0, 3, 2));
    return wasm_i32x4_extract_lane(s, 0);
}

/* Products of bytes do not exist: the even and the odd bytes of both sides are widened to 16 bits,
 * which needs no shuffle, and the compiler moves the part of the inputs out of the loop over the
 * weights. */
static inline Sum sum_dot4(Sum sum, Vec in, Vec w)
{
    Vec even = wasm_v128_and(in, wasm_i16x8_const_splat(0xff)), odd = wasm_u16x8_shr(in, 8);
    Vec even_w = wasm_i16x8_shr(wasm_i16x8_shl(w, 8), 8), odd_w = wasm_i16x8_shr(w, 8);
    return sum_madd(sum_madd(sum, even, even_w), odd, odd_w);
}

#include "eval/nnue/kernels_body.inc"

#else
const NnueKernels KERNELS = {0};
#endif
