/* From inputs to outputs and back for nets without layers, and what nets with layers share with
 * them: one thread's part of a block's work on one position. Included by train_cuda.cu alone. */
#ifndef TRAIN_TRAIN_CUDA_NET_CUH
#define TRAIN_TRAIN_CUDA_NET_CUH

#include "train/train_gpu.h"

#include <cuda_runtime.h>

namespace
{

enum { SIDES = 2, PIECES = 32, PER_BLOCK = 8, WARP = 32, ADAM_THREADS = 256 };
enum { L1 = 16, INS = 2 * L1, L2 = 32, PARTNER = 8, WARPS_MAX = 16 };
static_assert(+INS == +WARP && +L2 == +WARP, "a lane for each neuron of the second layer");

const unsigned ALL = 0xffffffffu;

/* As train/sample.h packs it. */
struct PackedSample {
    uint64_t occupied;
    uint8_t pieces[16];
    int16_t score;
    uint8_t result, king[2], piece_count, unused[2];
};
static_assert(sizeof(PackedSample) == 32, "the layout of Sample");

struct Batch {
    const PackedSample *samples;
    GpuOrder order; /* count 0: as they lie */
    size_t from, count;
};

/* What the threads of a block share about the position they are at. */
struct Shared {
    uint16_t features[SIDES][PIECES];
    float sums[WARP];
    float slope;
    int pieces, bucket;
    float l1[WARPS_MAX][L1]; /* each warp's part of the first layer's sums */
    float in[INS], down[L2]; /* of the second layer: inputs, slopes */
    float l1_slopes[L1];
};

__device__ uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

__device__ uint64_t place(const GpuOrder &s, uint64_t index)
{
    uint64_t mask = (1ULL << s.half_bits) - 1;
    if (!s.count)
        return index;
    do {
        uint64_t left = index >> s.half_bits, right = index & mask;
        for (int i = 0; i < 4; i++) {
            uint64_t next = left ^ (mixed(right + s.key[i]) & mask);
            left = right;
            right = next;
        }
        index = left << s.half_bits | right;
    } while (index >= s.count);
    return index;
}

/* As eval/nnue/features.h numbers the inputs; pieces are type * 2 + colour, White the side to
 * move. */
__device__ int feature(const GpuPlan &plan, int side, int king, int piece, int square)
{
    int enemy = (piece & 1) != side;
    int seen = square ^ side * 56 ^ (king & 4 ? 7 : 0);
    int base = plan.king_bucket[king ^ side * 56] * plan.features;
    return base + (enemy * 6 + (piece >> 1)) * 64 + seen;
}

/* Two squares to each thread of the first warp. */
__device__ void unpack(const PackedSample &s, const GpuPlan &plan, Shared *shared)
{
    for (int square = threadIdx.x; square < 64; square += WARP) {
        uint64_t bit = 1ULL << square;
        if (!(s.occupied & bit))
            continue;
        int index = __popcll(s.occupied & (bit - 1));
        int piece = s.pieces[index / 2] >> 4 * (index % 2) & 15;
        for (int side = 0; side < SIDES; side++)
            shared->features[side][index] =
                (uint16_t)feature(plan, side, s.king[side], piece, square);
    }
    if (threadIdx.x == 0) {
        shared->pieces = s.piece_count;
        shared->bucket = plan.buckets == 1 ? 0 : (s.piece_count - 2) / 4;
    }
}

__device__ float clamped(float x)
{
    return fminf(fmaxf(x, 0.0f), 1.0f);
}

__device__ const float4 &four(const float *at)
{
    return *reinterpret_cast<const float4 *>(at);
}

__device__ void add(float4 *sum, const float4 &x)
{
    sum->x += x.x;
    sum->y += x.y;
    sum->z += x.z;
    sum->w += x.w;
}

__device__ void add_global(float *at, const float4 &x)
{
#if __CUDA_ARCH__ >= 900
    atomicAdd(reinterpret_cast<float4 *>(at), x);
#else
    atomicAdd(at, x.x);
    atomicAdd(at + 1, x.y);
    atomicAdd(at + 2, x.z);
    atomicAdd(at + 3, x.w);
#endif
}

/* The sum over a warp, known to all of it. */
__device__ float warp_sum(float x)
{
    for (int step = WARP / 2; step; step /= 2)
        x += __shfl_xor_sync(ALL, x, step);
    return x;
}

/* The sum over all threads of a block, known to the first. */
__device__ float block_sum(float x, Shared *shared)
{
    x = warp_sum(x);
    if (threadIdx.x % WARP == 0)
        shared->sums[threadIdx.x / WARP] = x;
    __syncthreads();
    float sum = 0;
    if (threadIdx.x == 0)
        for (unsigned i = 0; i < blockDim.x / WARP; i++)
            sum += shared->sums[i];
    return sum;
}

/* A thread's four neurons and where their weights lie. */
struct Column {
    size_t rows;   /* of feature 0 */
    size_t neuron; /* the first of the four */
    bool idle;     /* blocks are whole warps: some threads may have no neurons */
};

__device__ Column column_of(const GpuPlan &plan)
{
    Column c;
    c.neuron = threadIdx.x * 4;
    c.idle = c.neuron >= (size_t)plan.hidden;
    size_t rows = (size_t)plan.features * plan.king_buckets;
    c.rows = c.neuron / plan.tile * rows * plan.tile + c.neuron % plan.tile;
    return c;
}

__device__ float4 neurons(const GpuPlan &plan, const float *weights, const Column &c,
                          const uint16_t *features, int pieces)
{
    float4 sum = four(weights + plan.bias + c.neuron);
    for (int k = 0; k < pieces; k++)
        add(&sum, four(weights + c.rows + (size_t)features[k] * plan.tile));
    return make_float4(clamped(sum.x), clamped(sum.y), clamped(sum.z), clamped(sum.w));
}

__device__ float4 squares(const float4 &a)
{
    return make_float4(a.x * a.x, a.y * a.y, a.z * a.z, a.w * a.w);
}

__device__ float dot(const float4 &a, const float4 &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__device__ float down(float active, float out, float slope)
{
    return active < 1 ? 2 * slope * active * out : 0;
}

__device__ float sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}

__device__ size_t out_at(const GpuPlan &plan, const Shared &shared, int side)
{
    return plan.out + ((size_t)shared.bucket * SIDES + side) * plan.hidden;
}

/* The slope of a position's loss over its output, and the loss. */
__device__ float slope_of(const GpuPlan &plan, const PackedSample &s, float output, float *loss)
{
    float expected = sigmoid(s.score / plan.score_scale);
    float target = plan.wdl * s.result / 2 + (1 - plan.wdl) * expected;
    float said = sigmoid(output), error = said - target;
    *loss = error * error;
    return 2 * error * said * (1 - said);
}

__device__ bool is_zero(const float4 &x)
{
    return x.x == 0 && x.y == 0 && x.z == 0 && x.w == 0;
}

__device__ float4 scaled(float factor, const float4 &x)
{
    return make_float4(factor * x.x, factor * x.y, factor * x.z, factor * x.w);
}

__device__ float4 times(const float4 &a, const float4 &b)
{
    return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

/* -- Outputs behind the neurons -- */

__device__ void output_forward(const GpuPlan &plan, const PackedSample &s, const float *weights,
                               float *gradient, bool learn, const Column &c, const float4 *active,
                               Shared *shared, float *losses)
{
    float sum = 0;
    for (int side = 0; side < SIDES && !c.idle; side++)
        sum += dot(squares(active[side]), four(weights + out_at(plan, *shared, side) + c.neuron));
    sum = block_sum(sum, shared);
    if (threadIdx.x == 0) {
        float loss;
        shared->slope = slope_of(plan, s, sum + weights[plan.out_bias + shared->bucket], &loss);
        *losses += loss;
        if (learn)
            atomicAdd(gradient + plan.out_bias + shared->bucket, shared->slope);
    }
    __syncthreads();
}

__device__ float4 output_backward(const GpuPlan &plan, const float *weights, float *gradient,
                                  const Column &c, const Shared &shared, int side, const float4 &a)
{
    float slope = shared.slope;
    size_t at = out_at(plan, shared, side) + c.neuron;
    float4 out = four(weights + at);
    add_global(gradient + at, scaled(slope, squares(a)));
    return make_float4(down(a.x, out.x, slope), down(a.y, out.y, slope), down(a.z, out.z, slope),
                       down(a.w, out.w, slope));
}

} // namespace

#endif
