/* The trainer's steps for NVIDIA cards. A block of threads takes a few positions, one after the other:
 * each thread owns four neurons of both sides, adds up the rows of the inputs that are on, and on the
 * way back adds its slopes to the gradients of the same rows. Everything stays on the card; a step
 * brings back one number, its loss. */
#include "train/train_gpu.h"

#include <cuda_runtime.h>
#include <new>

namespace
{

enum { SIDES = 2, MEN = 32, PER_BLOCK = 8, WARP = 32, ADAM_THREADS = 256 };

/* As learn/sample.h packs it. */
struct PackedSample {
    uint64_t occupied;
    uint8_t pieces[16];
    int16_t score;
    uint8_t result, king[2], men, unused[2];
};
static_assert(sizeof(PackedSample) == 32, "the layout of Sample");

struct Batch {
    const PackedSample *samples;
    GpuOrder order; /* count 0: as they lie */
    size_t from, count;
};

/* What the threads of a block share about the position they are at. */
struct Shared {
    uint16_t features[SIDES][MEN];
    float sums[WARP];
    float slope;
    int men, bucket;
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

/* As eval/nnue/features.h numbers the inputs; pieces are type * 2 + colour, White the side to move. */
__device__ int feature(int side, int king, int piece, int square)
{
    int enemy = (piece & 1) != side;
    int seen = square ^ side * 56 ^ (king & 4 ? 7 : 0);
    return (enemy * 6 + (piece >> 1)) * 64 + seen;
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
            shared->features[side][index] = (uint16_t)feature(side, s.king[side], piece, square);
    }
    if (threadIdx.x == 0) {
        shared->men = s.men;
        shared->bucket = plan.buckets == 1 ? 0 : (s.men - 2) / 4;
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

/* The sum over all threads of a block, known to the first. */
__device__ float block_sum(float x, Shared *shared)
{
    for (int step = WARP / 2; step; step /= 2)
        x += __shfl_down_sync(0xffffffffu, x, step);
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
    c.rows = c.neuron / plan.tile * plan.features * plan.tile + c.neuron % plan.tile;
    return c;
}

__device__ float4 neurons(const GpuPlan &plan, const float *weights, const Column &c,
                          const uint16_t *features, int men)
{
    float4 sum = four(weights + plan.bias + c.neuron);
    for (int k = 0; k < men; k++)
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

/* The first thread's part between forward and backward; the loss of the position. */
__device__ float settle(const GpuPlan &plan, const PackedSample &s, float output, Shared *shared)
{
    float expected = sigmoid(s.score / plan.score_scale);
    float target = plan.wdl * s.result / 2 + (1 - plan.wdl) * expected;
    float said = sigmoid(output), error = said - target;
    shared->slope = 2 * error * said * (1 - said);
    return error * error;
}

__device__ void go_back(const GpuPlan &plan, const float *weights, float *gradient, const Column &c,
                        const Shared &shared, const float4 *active, float4 *bias)
{
    float slope = shared.slope;
    for (int side = 0; side < SIDES; side++) {
        size_t at = out_at(plan, shared, side) + c.neuron;
        float4 a = active[side], out = four(weights + at), sq = squares(a);
        add_global(gradient + at,
                   make_float4(slope * sq.x, slope * sq.y, slope * sq.z, slope * sq.w));
        float4 d = make_float4(down(a.x, out.x, slope), down(a.y, out.y, slope),
                               down(a.z, out.z, slope), down(a.w, out.w, slope));
        add(bias, d);
        if (d.x == 0 && d.y == 0 && d.z == 0 && d.w == 0)
            continue;
        for (int k = 0; k < shared.men; k++)
            add_global(gradient + c.rows + (size_t)shared.features[side][k] * plan.tile, d);
    }
}

template <bool LEARN>
__global__ void pass(GpuPlan plan, Batch batch, const float *weights, float *gradient, double *loss)
{
    __shared__ Shared shared;
    Column c = column_of(plan);
    float4 bias = make_float4(0, 0, 0, 0);
    float losses = 0;
    size_t begin = (size_t)blockIdx.x * PER_BLOCK, end = begin + PER_BLOCK;
    for (size_t i = begin; i < end && i < batch.count; i++) {
        const PackedSample &s = batch.samples[place(batch.order, batch.from + i)];
        __syncthreads();
        if (threadIdx.x < WARP)
            unpack(s, plan, &shared);
        __syncthreads();
        float4 active[SIDES];
        float sum = 0;
        for (int side = 0; side < SIDES && !c.idle; side++) {
            active[side] = neurons(plan, weights, c, shared.features[side], shared.men);
            sum +=
                dot(squares(active[side]), four(weights + out_at(plan, shared, side) + c.neuron));
        }
        sum = block_sum(sum, &shared);
        if (threadIdx.x == 0) {
            losses += settle(plan, s, sum + weights[plan.out_bias + shared.bucket], &shared);
            if (LEARN)
                atomicAdd(gradient + plan.out_bias + shared.bucket, shared.slope);
        }
        __syncthreads();
        if (LEARN && !c.idle)
            go_back(plan, weights, gradient, c, shared, active, &bias);
    }
    if (LEARN && !c.idle)
        add_global(gradient + plan.bias + c.neuron, bias);
    if (threadIdx.x == 0)
        atomicAdd(loss, (double)losses);
}

__global__ void move(GpuPlan plan, GpuStep step, float *weights, float *first, float *second,
                     float *gradient)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plan.count)
        return;
    float g = gradient[i] * step.scale;
    gradient[i] = 0;
    float m = first[i] * step.first_keep + (1 - step.first_keep) * g;
    float v = second[i] * step.second_keep + (1 - step.second_keep) * g * g;
    first[i] = m;
    second[i] = v;
    float w = weights[i] - step.decay * weights[i];
    w -= step.rate * (m * step.first_factor) / (sqrtf(v * step.second_factor) + 1e-8f);
    float limit = i >= plan.out && i < plan.out_bias ? plan.out_clip : plan.clip;
    weights[i] = fminf(fmaxf(w, -limit), limit);
}

} // namespace

struct Gpu {
    GpuPlan plan;
    PackedSample *train, *held_out;
    float *weights, *first, *second, *gradient;
    double *loss;
};

static const char *told(cudaError_t e)
{
    return e == cudaSuccess ? nullptr : cudaGetErrorString(e);
}

/* Memory on the card with what `from` holds, or zeros. */
template <typename T> static cudaError_t fill(T **to, const void *from, size_t count)
{
    size_t bytes = (count ? count : 1) * sizeof(T);
    cudaError_t e = cudaMalloc((void **)to, bytes);
    if (e == cudaSuccess)
        e = from && count ? cudaMemcpy(*to, from, count * sizeof(T), cudaMemcpyHostToDevice)
                          : cudaMemset(*to, 0, bytes);
    return e;
}

const char *gpu_absent(void)
{
    int count = 0;
    cudaError_t e = cudaGetDeviceCount(&count);
    if (e != cudaSuccess)
        return cudaGetErrorString(e);
    return count ? nullptr : "there is no graphics card";
}

const char *gpu_open(Gpu **gpu, const GpuPlan *plan)
{
    Gpu *g = new (std::nothrow) Gpu{};
    *gpu = g;
    if (!g)
        return "no memory";
    g->plan = *plan;
    cudaError_t e = fill(&g->train, plan->train, plan->train_count);
    if (e == cudaSuccess)
        e = fill(&g->held_out, plan->held_out, plan->held_out_count);
    for (float **block : {&g->weights, &g->first, &g->second, &g->gradient})
        if (e == cudaSuccess)
            e = fill(block, nullptr, plan->count);
    if (e == cudaSuccess)
        e = fill(&g->loss, nullptr, 1);
    return told(e);
}

const char *gpu_put(Gpu *g, const float *weights, const float *first, const float *second)
{
    size_t bytes = g->plan.count * sizeof(float);
    cudaError_t e = cudaMemcpy(g->weights, weights, bytes, cudaMemcpyHostToDevice);
    if (e == cudaSuccess)
        e = cudaMemcpy(g->first, first, bytes, cudaMemcpyHostToDevice);
    if (e == cudaSuccess)
        e = cudaMemcpy(g->second, second, bytes, cudaMemcpyHostToDevice);
    return told(e);
}

const char *gpu_get(Gpu *g, float *weights, float *first, float *second)
{
    size_t bytes = g->plan.count * sizeof(float);
    cudaError_t e = cudaMemcpy(weights, g->weights, bytes, cudaMemcpyDeviceToHost);
    if (e == cudaSuccess)
        e = cudaMemcpy(first, g->first, bytes, cudaMemcpyDeviceToHost);
    if (e == cudaSuccess)
        e = cudaMemcpy(second, g->second, bytes, cudaMemcpyDeviceToHost);
    return told(e);
}

static unsigned threads_for(const GpuPlan *plan)
{
    unsigned fours = (unsigned)plan->hidden / 4;
    return (fours + WARP - 1) / WARP * WARP;
}

static unsigned blocks_for(size_t count, size_t each)
{
    return (unsigned)((count + each - 1) / each);
}

static const char *take_loss(Gpu *g, double *loss)
{
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
        e = cudaMemcpy(loss, g->loss, sizeof *loss, cudaMemcpyDeviceToHost);
    if (e == cudaSuccess)
        e = cudaMemset(g->loss, 0, sizeof *loss);
    return told(e);
}

const char *gpu_learn(Gpu *g, const GpuOrder *order, size_t from, int batch, const GpuStep *step,
                      double *loss)
{
    Batch b = {g->train, *order, from, (size_t)batch};
    pass<true><<<blocks_for(b.count, PER_BLOCK), threads_for(&g->plan)>>>(g->plan, b, g->weights,
                                                                          g->gradient, g->loss);
    move<<<blocks_for(g->plan.count, ADAM_THREADS), ADAM_THREADS>>>(
        g->plan, *step, g->weights, g->first, g->second, g->gradient);
    return take_loss(g, loss);
}

const char *gpu_judge(Gpu *g, double *loss)
{
    Batch b = {g->held_out, {}, 0, g->plan.held_out_count};
    *loss = 0;
    if (!b.count)
        return nullptr;
    pass<false><<<blocks_for(b.count, PER_BLOCK), threads_for(&g->plan)>>>(g->plan, b, g->weights,
                                                                           g->gradient, g->loss);
    return take_loss(g, loss);
}

void gpu_close(Gpu *g)
{
    if (!g)
        return;
    void *const blocks[] = {g->train,  g->held_out, g->weights, g->first,
                            g->second, g->gradient, g->loss};
    for (void *block : blocks)
        cudaFree(block);
    delete g;
}
