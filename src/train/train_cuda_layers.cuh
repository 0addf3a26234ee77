/* Pairwise products and the layers behind them. A neuron and its partner (half a tile further,
 * so eight threads further, in the same warp) are multiplied; of the two threads the lower one
 * works on the products of the side to move, the upper one on those of the other side. The small
 * layers behind are the first warp's work. Included by train_cuda.cu alone. */
#ifndef TRAIN_TRAIN_CUDA_LAYERS_CUH
#define TRAIN_TRAIN_CUDA_LAYERS_CUH

#include "train/train_cuda_net.cuh"

namespace
{

/* Which products a thread works on. */
struct Products {
    int side;
    size_t first; /* of its four, among those of a side */
    float4 p;
};

__device__ float4 of_partner(const float4 &x)
{
    return make_float4(
        __shfl_xor_sync(ALL, x.x, PARTNER), __shfl_xor_sync(ALL, x.y, PARTNER),
        __shfl_xor_sync(ALL, x.z, PARTNER), __shfl_xor_sync(ALL, x.w, PARTNER));
}

__device__ size_t l1_at(const GpuPlan &plan, const Shared &shared, const Products &mine, int neuron)
{
    size_t row = ((size_t)shared.bucket * L1 + neuron) * SIDES + mine.side;
    return plan.out + row * (plan.hidden / 2) + mine.first;
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
    const float *l2 = weights + plan.l2 + (size_t)bucket * INS * L2;
    float *l2_gradient = gradient + plan.l2 + (size_t)bucket * INS * L2;
    float l3 = weights[plan.l3 + bucket * L2 + lane];
    float down = z2 > 0 && z2 < 1 ? slope * l3 : 0;
    shared->down[lane] = down;
    __syncwarp();
    atomicAdd(gradient + plan.l3 + bucket * L2 + lane, slope * clamped(z2));
    atomicAdd(gradient + plan.l2_bias + bucket * L2 + lane, down);
    if (lane == 0)
        atomicAdd(gradient + plan.out_bias + bucket, slope);
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
        atomicAdd(gradient + plan.l1_bias + bucket * L1 + lane, d);
    }
}

/* From the first layer's sums to the loss, and back to the slopes of these sums, by the first
 * warp. */
__device__ void small_layers(const GpuPlan &plan, const PackedSample &s, const float *weights,
                             float *gradient, bool learn, Shared *shared, float *losses)
{
    int lane = threadIdx.x, bucket = shared->bucket;
    const float *l2 = weights + plan.l2 + (size_t)bucket * INS * L2;
    float z1 = 0;
    if (lane < L1) {
        z1 = weights[plan.l1_bias + bucket * L1 + lane];
        for (unsigned w = 0; w < blockDim.x / WARP; w++)
            z1 += shared->l1[w][lane];
        float x = fminf(fmaxf(z1, -1.0f), 1.0f);
        shared->in[lane] = fmaxf(x, 0.0f);
        shared->in[L1 + lane] = x * x;
    }
    __syncwarp();
    float z2 = weights[plan.l2_bias + bucket * L2 + lane];
    for (int k = 0; k < INS; k++)
        z2 += shared->in[k] * l2[k * L2 + lane];
    float output = warp_sum(clamped(z2) * weights[plan.l3 + bucket * L2 + lane]);
    float loss, slope = slope_of(plan, s, output + weights[plan.out_bias + bucket], &loss);
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
    return make_float4(
        through(slope.x, partner.x, active.x), through(slope.y, partner.y, active.y),
        through(slope.z, partner.z, active.z), through(slope.w, partner.w, active.w));
}

} // namespace

#endif
