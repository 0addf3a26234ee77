/* A warp: 32 lanes that run the same code. Code over this header is compiled for the GPU by nvcc,
 * and as C for tests, which have the collective functions and run the lanes in turn (warp_lanes.c).
 *
 * Rules for such code: all lanes take the same path to every collective function (warp_...); memory
 * that they share is written by one lane, or by each lane its own part, with warp_sync between
 * writing and reading. */
#ifndef TRAIN_GPU_WARP_H
#define TRAIN_GPU_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WARP_LANES = 32 };

#ifdef __CUDACC__

#define DEVICE static __device__ __forceinline__
#define DEVICE_CALL static __device__ __noinline__
/* Before a loop: code that is longer than the instruction cache costs more than the loop. */
#define ROLLED _Pragma("unroll 1")
#define ALL_LANES 0xffffffffu

DEVICE int warp_lane(void)
{
    return (int)(threadIdx.x & (WARP_LANES - 1));
}

DEVICE void warp_sync(void)
{
    __syncwarp();
}

DEVICE uint32_t warp_ballot(bool is)
{
    return __ballot_sync(ALL_LANES, is);
}

DEVICE uint32_t warp_max(uint32_t v)
{
    return __reduce_max_sync(ALL_LANES, v);
}

DEVICE int warp_sum(int v)
{
    return __reduce_add_sync(ALL_LANES, v);
}

DEVICE uint64_t warp_xor(uint64_t v)
{
    uint64_t high = __reduce_xor_sync(ALL_LANES, (uint32_t)(v >> 32));
    return high << 32 | __reduce_xor_sync(ALL_LANES, (uint32_t)v);
}

/* Memory that will be read soon. */
DEVICE void warp_prefetch(const void *at)
{
    asm volatile("prefetch.global.L1 [%0];" ::"l"(at));
}

/* The value of the lane that is `by` lower; the own one where there is none. */
DEVICE int warp_from_below(int v, int by)
{
    return __shfl_up_sync(ALL_LANES, v, (unsigned)by);
}

DEVICE int bit_count(uint64_t b)
{
    return __popcll((long long)b);
}

DEVICE int bit_first(uint64_t b)
{
    return __ffsll((long long)b) - 1;
}

DEVICE uint64_t bit_reverse(uint64_t b)
{
    return __brevll(b);
}

/* Two 16-bit sums. */
DEVICE uint32_t add_pairs(uint32_t a, uint32_t b)
{
    return __viaddmax_s16x2(a, b, 0x80008000u);
}

/* Two 16-bit numbers, each limited to 0 .. most. */
DEVICE uint32_t clamp_pairs(uint32_t a, uint32_t most)
{
    return __vimin_s16x2_relu(a, most);
}

#else

#define DEVICE static inline
#define DEVICE_CALL static inline
#define ROLLED

int warp_lane(void);
void warp_sync(void);
uint32_t warp_ballot(bool is);
uint32_t warp_max(uint32_t v);
int warp_sum(int v);
uint64_t warp_xor(uint64_t v);
int warp_from_below(int v, int by);

DEVICE void warp_prefetch(const void *at)
{
    __builtin_prefetch(at);
}

DEVICE int bit_count(uint64_t b)
{
    return __builtin_popcountll(b);
}

DEVICE int bit_first(uint64_t b)
{
    return __builtin_ctzll(b);
}

DEVICE uint64_t bit_reverse(uint64_t b)
{
    b = (b >> 1 & 0x5555555555555555u) | (b & 0x5555555555555555u) << 1;
    b = (b >> 2 & 0x3333333333333333u) | (b & 0x3333333333333333u) << 2;
    b = (b >> 4 & 0x0f0f0f0f0f0f0f0fu) | (b & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(b);
}

DEVICE uint32_t add_pairs(uint32_t a, uint32_t b)
{
    return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16;
}

DEVICE uint32_t clamp_pair_half(int v, int most)
{
    return (uint32_t)(v < 0 ? 0 : v > most ? most : v);
}

DEVICE uint32_t clamp_pairs(uint32_t a, uint32_t most)
{
    return clamp_pair_half((int16_t)a, (int16_t)most) |
           clamp_pair_half((int16_t)(a >> 16), (int16_t)(most >> 16)) << 16;
}

#endif

DEVICE bool warp_any(bool is)
{
    return warp_ballot(is) != 0;
}

/* The sum of the values of this lane and all lower ones. */
DEVICE int warp_running_sum(int v)
{
    for (int by = 1; by < WARP_LANES; by *= 2) {
        int below = warp_from_below(v, by);
        v += warp_lane() >= by ? below : 0;
    }
    return v;
}

#endif
