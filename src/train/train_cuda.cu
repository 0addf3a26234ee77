/* The trainer's steps for NVIDIA cards. A block of threads takes a few positions, one after the
 * other: each thread owns four neurons of both sides, adds up the rows of the inputs that are
 * on, and on the way back adds its slopes to the gradients of the same rows. Everything stays on
 * the card; a step brings back one number, its loss. */
#include "train/train_cuda_net.cuh"

#include <new>

namespace
{

/* -- A position -- */

__device__ void rows_backward(const GpuPlan &plan, float *gradient, const Column &c,
                              const Shared &shared, int side, const float4 &d, float4 *bias)
{
    add(bias, d);
    if (is_zero(d))
        return;
    for (int k = 0; k < shared.pieces; k++)
        add_global(gradient + c.rows + (size_t)shared.features[side][k] * plan.tile, d);
}

/* No thread is idle here: nets with layers have whole warps. */
template <bool LEARN>
__device__ void with_layers(const GpuPlan &plan, const PackedSample &s, const float *weights,
                            float *gradient, const Column &c, const float4 *active, Shared *shared,
                            float4 *bias, float *losses)
{
    float4 partner[SIDES] = {of_partner(active[0]), of_partner(active[1])};
    Products mine = products_of(active, partner);
    first_layer(plan, weights, mine, shared);
    if (threadIdx.x < WARP)
        small_layers(plan, s, weights, gradient, LEARN, shared, losses);
    __syncthreads();
    if (!LEARN)
        return;
    float4 own = first_layer_backward(plan, weights, gradient, mine, *shared);
    float4 other = of_partner(own);
    for (int side = 0; side < SIDES; side++) {
        float4 d = through_four(side == mine.side ? own : other, partner[side], active[side]);
        rows_backward(plan, gradient, c, *shared, side, d, bias);
    }
}

template <bool LEARN>
__device__ void without_layers(const GpuPlan &plan, const PackedSample &s, const float *weights,
                               float *gradient, const Column &c, const float4 *active,
                               Shared *shared, float4 *bias, float *losses)
{
    output_forward(plan, s, weights, gradient, LEARN, c, active, shared, losses);
    for (int side = 0; LEARN && side < SIDES && !c.idle; side++) {
        float4 d = output_backward(plan, weights, gradient, c, *shared, side, active[side]);
        rows_backward(plan, gradient, c, *shared, side, d, bias);
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
        const PackedSample &s = batch.samples[place(batch, i)];
        __syncthreads();
        if (threadIdx.x < WARP)
            unpack(s, plan, &shared);
        __syncthreads();
        float4 active[SIDES] = {make_float4(0, 0, 0, 0), make_float4(0, 0, 0, 0)};
        for (int side = 0; side < SIDES && !c.idle; side++)
            active[side] = neurons(plan, weights, c, shared.features[side], shared.pieces);
        if (plan.shape.layers)
            with_layers<LEARN>(plan, s, weights, gradient, c, active, &shared, &bias, &losses);
        else
            without_layers<LEARN>(plan, s, weights, gradient, c, active, &shared, &bias, &losses);
    }
    if (LEARN && !c.idle)
        add_global(gradient + plan.shape.bias + c.neuron, bias);
    if (threadIdx.x == 0)
        atomicAdd(loss, (double)losses);
}

/* -- AdamW -- */

struct Moments {
    float *weights, *first, *second, *gradient;
};

__device__ float stride_of(const AdamStep &step, const Moments &at, size_t i, float gradient)
{
    return adam_stride(&step, &at.first[i], &at.second[i], gradient);
}

__device__ void move_by(const AdamStep &step, const Moments &at, size_t i, float stride,
                        float limit)
{
    float w = at.weights[i] - step.decay * at.weights[i] - stride;
    at.weights[i] = fminf(fmaxf(w, -limit), limit);
    at.gradient[i] = 0;
}

/* Everything from `from` on, the factoriser's moments left out. */
__global__ void move(GpuPlan plan, AdamStep step, Moments at, size_t from)
{
    size_t i = from + (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plan.shape.shared)
        return;
    float limit = i < plan.shape.out       ? plan.clip
                  : i < plan.shape.out_end ? plan.out_clip
                                           : plan.layer_clip;
    move_by(step, at, i, stride_of(step, at, i, at.gradient[i]), limit);
}

/* Input rows of all king buckets with those of the factoriser: a thread for each of the latter. */
__global__ void move_shared(GpuPlan plan, AdamStep step, Moments at)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t tile_size = (size_t)plan.features * plan.tile;
    if (i >= plan.shape.count - plan.shape.shared)
        return;
    size_t first = i / tile_size * plan.shape.king_buckets * tile_size + i % tile_size;
    float sum = 0;
    for (int b = 0; b < plan.shape.king_buckets; b++)
        sum += at.gradient[first + b * tile_size];
    float all = stride_of(step, at, plan.shape.shared + i, sum);
    for (int b = 0; b < plan.shape.king_buckets; b++) {
        size_t own = first + b * tile_size;
        move_by(step, at, own, all + stride_of(step, at, own, at.gradient[own]), plan.clip);
    }
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

/* Memory on the card with what `from` holds, or zeros; nothing after an error. */
template <typename T> static void fill(cudaError_t *e, T **to, const void *from, size_t count)
{
    size_t bytes = (count ? count : 1) * sizeof(T);
    if (*e == cudaSuccess)
        *e = cudaMalloc((void **)to, bytes);
    if (*e == cudaSuccess)
        *e = from && count ? cudaMemcpy(*to, from, count * sizeof(T), cudaMemcpyHostToDevice)
                           : cudaMemset(*to, 0, bytes);
}

const char *gpu_absent(void)
{
    int count = 0;
    cudaError_t e = cudaGetDeviceCount(&count);
    if (e != cudaSuccess)
        return cudaGetErrorString(e);
    return count ? nullptr : "no NVIDIA GPU found";
}

static const char *gpu_open(Gpu **gpu, const GpuPlan *plan)
{
    Gpu *g = new (std::nothrow) Gpu{};
    *gpu = g;
    if (!g)
        return "no memory";
    g->plan = *plan;
    size_t count = plan->shape.count;
    cudaError_t e = cudaSuccess;
    fill(&e, &g->train, plan->train, plan->train_count);
    fill(&e, &g->held_out, plan->held_out, plan->held_out_count);
    fill(&e, &g->weights, plan->weights, count);
    fill(&e, &g->first, plan->first, count);
    fill(&e, &g->second, plan->second, count);
    fill(&e, &g->gradient, nullptr, count);
    fill(&e, &g->loss, nullptr, 1);
    return told(e);
}

static const char *gpu_get(Gpu *g, float *weights, float *first, float *second)
{
    float *const to[] = {weights, first, second}, *const from[] = {g->weights, g->first, g->second};
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < 3 && e == cudaSuccess; i++)
        e = cudaMemcpy(to[i], from[i], g->plan.shape.count * sizeof(float), cudaMemcpyDeviceToHost);
    return told(e);
}

static unsigned threads_for(const GpuPlan *plan)
{
    unsigned fours = (unsigned)plan->shape.hidden / 4;
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

static void learn(Gpu *g, const Batch &b)
{
    pass<true><<<blocks_for(b.count, PER_BLOCK), threads_for(&g->plan)>>>(g->plan, b, g->weights,
                                                                          g->gradient, g->loss);
}

static const char *gpu_learn(Gpu *g, const Shuffle *order, size_t from, int batch,
                             const AdamStep *step, double *loss)
{
    const GpuPlan &plan = g->plan;
    Moments at = {g->weights, g->first, g->second, g->gradient};
    size_t shared = plan.shape.count - plan.shape.shared, plain = shared ? plan.shape.bias : 0;
    learn(g, Batch{g->train, *order, from, (size_t)batch});
    move<<<blocks_for(plan.shape.shared - plain, ADAM_THREADS), ADAM_THREADS>>>(plan, *step, at,
                                                                                plain);
    if (shared)
        move_shared<<<blocks_for(shared, ADAM_THREADS), ADAM_THREADS>>>(plan, *step, at);
    return take_loss(g, loss);
}

static const char *gpu_gradient(Gpu *g, size_t count, float *gradient, double *loss)
{
    size_t bytes = g->plan.shape.count * sizeof(float);
    learn(g, Batch{g->train, {}, 0, count});
    const char *fault = take_loss(g, loss);
    if (fault)
        return fault;
    cudaError_t e = cudaMemcpy(gradient, g->gradient, bytes, cudaMemcpyDeviceToHost);
    if (e == cudaSuccess)
        e = cudaMemset(g->gradient, 0, bytes);
    return told(e);
}

static const char *gpu_validate(Gpu *g, double *loss)
{
    Batch b = {g->held_out, {}, 0, g->plan.held_out_count};
    *loss = 0;
    if (!b.count)
        return nullptr;
    pass<false><<<blocks_for(b.count, PER_BLOCK), threads_for(&g->plan)>>>(g->plan, b, g->weights,
                                                                           g->gradient, g->loss);
    return take_loss(g, loss);
}

static void gpu_close(Gpu *g)
{
    void *const blocks[] = {g->train,  g->held_out, g->weights, g->first,
                            g->second, g->gradient, g->loss};
    for (void *block : blocks)
        cudaFree(block);
    delete g;
}

const GpuTrainer gpu_trainer = {gpu_open,     gpu_get,      gpu_learn,
                                gpu_gradient, gpu_validate, gpu_close};
