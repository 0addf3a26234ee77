/* From inputs to outputs and back: one thread's part of a block's work on one position. Included by
 * train_cuda.cu alone. */
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
    Shuffle order; /* count 0: as they lie */
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

/* Where position `i` of a batch lies. */
__device__ uint64_t place(const Batch &b, uint64_t i)
{
    return b.order.count ? shuffle_at(&b.order, b.from + i) : b.from + i;
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
        shared->bucket = plan.shape.buckets == 1 ? 0 : (s.piece_count - 2) / 4;
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
    c.idle = c.neuron >= (size_t)plan.shape.hidden;
    size_t rows = (size_t)plan.features * plan.shape.king_buckets;
    c.rows = c.neuron / plan.tile * rows * plan.tile + c.neuron % plan.tile;
    return c;
}

__device__ float4 neurons(const GpuPlan &plan, const float *weights, const Column &c,
                          const uint16_t *features, int pieces)
{
    float4 sum = four(weights + plan.shape.bias + c.neuron);
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
    return plan.shape.out + ((size_t)shared.bucket * SIDES + side) * plan.shape.hidden;
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
        shared->slope =
            slope_of(plan, s, sum + weights[plan.shape.out_bias + shared->bucket], &loss);
        *losses += loss;
        if (learn)
            atomicAdd(gradient + plan.shape.out_bias + shared->bucket, shared->slope);
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

/* -- Layers -- */

/* Pairwise products and the layers behind them. A neuron and its partner (half a tile further,
 * so eight threads further, in the same warp) are multiplied; of the two threads the lower one
 * works on the products of the side to move, the upper one on those of the other side. The small
 * layers behind are the first warp's work. */

/* Which products a thread works on. */
struct Products {
    int side;
    size_t first; /* of its four, among those of a side */
    float4 p;
};

__device__ float4 of_partner(const float4 &x)
{
    return make_float4(__shfl_xor_sync(ALL, x.x, PARTNER), __shfl_xor_sync(ALL, x.y, PARTNER),
                       __shfl_xor_sync(ALL, x.z, PARTNER), __shfl_xor_sync(ALL, x.w, PARTNER));
}

__device__ size_t l1_at(const GpuPlan &plan, const Shared &shared, const Products &mine, int neuron)
{
    size_t row = ((size_t)shared.bucket * L1 + neuron) * SIDES + mine.side;
    return plan.shape.out + row * (plan.shape.hidden / 2) + mine.first;
}

__device__ Products products_of(const float4 *active, const float4 *partner)
{
    Products mine;
    mine.side = threadIdx.x & PARTNER ? 1 : 0;
    mine.first = threadIdx.x / (2 * PARTNER) * (4 * PARTNER) + threadIdx.x % PARTNER * 4;
    mine.p = mine.side ? times(active[1], partner[1]) : times(active[0], partner[0]);
    return mine;
}

/* Each warp's part of the sums. */
__device__ void first_layer(const GpuPlan &plan, const float *weights, const Products &mine,
                            Shared *shared)
{
    bool zero = is_zero(mine.p);
    for (int o = 0; o < L1; o++) {
        float sum = zero ? 0 : dot(mine.p, four(weights + l1_at(plan, *shared, mine, o)));
        sum = warp_sum(sum);
        if (threadIdx.x % WARP == 0)
            shared->l1[threadIdx.x / WARP][o] = sum;
    }
    __syncthreads();
}

/* The way back through the small layers, by the first warp: lane n has neuron n of the second. */
__device__ void layers_backward(const GpuPlan &plan, const float *weights, float *gradient,
                                float z1, float z2, float slope, Shared *shared)
{
    int lane = threadIdx.x, bucket = shared->bucket;
    const float *l2 = weights + plan.shape.l2 + (size_t)bucket * INS * L2;
    float *l2_gradient = gradient + plan.shape.l2 + (size_t)bucket * INS * L2;
    float l3 = weights[plan.shape.l3 + bucket * L2 + lane];
    float down = z2 > 0 && z2 < 1 ? slope * l3 : 0;
    shared->down[lane] = down;
    __syncwarp();
    atomicAdd(gradient + plan.shape.l3 + bucket * L2 + lane, slope * clamped(z2));
    atomicAdd(gradient + plan.shape.l2_bias + bucket * L2 + lane, down);
    if (lane == 0)
        atomicAdd(gradient + plan.shape.out_bias + bucket, slope);
    for (int k = 0; k < INS; k++)
        if (down != 0 && shared->in[k] != 0)
            atomicAdd(l2_gradient + k * L2 + lane, down * shared->in[k]);
    float in_down = 0; /* of input `lane` */
    for (int n = 0; n < L2; n++)
        in_down += shared->down[n] * l2[lane * L2 + n];
    float of_square = __shfl_sync(ALL, in_down, (lane + L1) % WARP);
    if (lane < L1) {
        float d = 2 * z1 * of_square + (z1 > 0 ? in_down : 0);
        d = z1 > -1 && z1 < 1 ? d : 0;
        shared->l1_slopes[lane] = d;
        atomicAdd(gradient + plan.shape.l1_bias + bucket * L1 + lane, d);
    }
}

/* From the first layer's sums to the loss, and back to the slopes of these sums, by the first
 * warp. */
__device__ void small_layers(const GpuPlan &plan, const PackedSample &s, const float *weights,
                             float *gradient, bool learn, Shared *shared, float *losses)
{
    int lane = threadIdx.x, bucket = shared->bucket;
    const float *l2 = weights + plan.shape.l2 + (size_t)bucket * INS * L2;
    float z1 = 0;
    if (lane < L1) {
        z1 = weights[plan.shape.l1_bias + bucket * L1 + lane];
        for (unsigned w = 0; w < blockDim.x / WARP; w++)
            z1 += shared->l1[w][lane];
        float x = fminf(fmaxf(z1, -1.0f), 1.0f);
        shared->in[lane] = fmaxf(x, 0.0f);
        shared->in[L1 + lane] = x * x;
    }
    __syncwarp();
    float z2 = weights[plan.shape.l2_bias + bucket * L2 + lane];
    for (int k = 0; k < INS; k++)
        z2 += shared->in[k] * l2[k * L2 + lane];
    float output = warp_sum(clamped(z2) * weights[plan.shape.l3 + bucket * L2 + lane]);
    float loss, slope = slope_of(plan, s, output + weights[plan.shape.out_bias + bucket], &loss);
    if (lane == 0)
        *losses += loss;
    if (learn)
        layers_backward(plan, weights, gradient, z1, z2, slope, shared);
}

/* The slopes of a thread's products, and the gradients of their weights. */
__device__ float4 first_layer_backward(const GpuPlan &plan, const float *weights, float *gradient,
                                       const Products &mine, const Shared &shared)
{
    float4 slopes = make_float4(0, 0, 0, 0);
    bool zero = is_zero(mine.p);
    for (int o = 0; o < L1; o++) {
        float d = shared.l1_slopes[o];
        if (d == 0)
            continue;
        size_t at = l1_at(plan, shared, mine, o);
        add(&slopes, scaled(d, four(weights + at)));
        if (!zero)
            add_global(gradient + at, scaled(d, mine.p));
    }
    return slopes;
}

/* A product's slope is a neuron's times its partner; nothing at the ends of a neuron's range. */
__device__ float through(float slope, float partner, float active)
{
    return active > 0 && active < 1 ? slope * partner : 0;
}

__device__ float4 through_four(const float4 &slope, const float4 &partner, const float4 &active)
{
    return make_float4(through(slope.x, partner.x, active.x), through(slope.y, partner.y, active.y),
                       through(slope.z, partner.z, active.z),
                       through(slope.w, partner.w, active.w));
}

} // namespace

#endif
