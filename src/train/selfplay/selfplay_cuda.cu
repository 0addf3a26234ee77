/* Self-play on NVIDIA cards. Every warp plays its own games; what it needs at every node is in the
 * fast memory of its block, the rest in the memory of the card. */
#include "train/selfplay/selfplay_gpu.h"

#include <new>

namespace
{

enum {
    WARPS_IN_BLOCK = 8,
    BLOCKS_ON_PROCESSOR = 4, /* as many as 64 registers a lane allow; with 3 it is 4 % slower */
    THREADS = WARPS_IN_BLOCK * WARP_LANES,
    OUTPUT_CAPACITY = 64 << 20 /* in 16-bit numbers: the games of one part */
};

struct Kernel {
    GNet net;
    const GTables *tables;
    const uint64_t *random_keys;
    const GPosition *first;
    GRules rules;
    GMemory *memory;
    GGame *games;
    GOutput out;
    unsigned long long nanoseconds;
};

__device__ unsigned long long nanoseconds_now()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

__global__ void __launch_bounds__(THREADS, BLOCKS_ON_PROCESSOR)
    play(const __grid_constant__ Kernel k)
{
    __shared__ GTables tables;
    __shared__ GShared shared[WARPS_IN_BLOCK];
    unsigned long long begin = nanoseconds_now();
    for (size_t i = threadIdx.x; i < sizeof tables / sizeof(uint64_t); i += THREADS)
        ((uint64_t *)&tables)[i] = ((const uint64_t *)k.tables)[i];
    __syncthreads();
    int warp = threadIdx.x / WARP_LANES;
    size_t number = (size_t)blockIdx.x * WARPS_IN_BLOCK + warp;
    GGame *game = &k.games[number];
    GSearch w = {};
    w.tables = &tables;
    w.random_keys = k.random_keys;
    w.net = &k.net;
    w.memory = &k.memory[number];
    w.shared = &shared[warp];
    w.game_ply = game->count;
    g_copy(&w.shared->stack[0], &game->root);
    bool going_on = true;
    while (going_on) {
        g_game_step(&w, &k.rules, k.first, game, &k.out);
        going_on = !warp_any(nanoseconds_now() - begin > k.nanoseconds);
    }
    g_copy(&game->root, &w.shared->stack[0]);
}

const char *told(cudaError_t e)
{
    return e == cudaSuccess ? nullptr : cudaGetErrorString(e);
}

} // namespace

struct GpuSelfplay {
    Kernel kernel;
    int blocks;
    uint16_t *games; /* on the host */
    unsigned long long *counters;
    cudaError_t error;
    void *owned[16];
    int owned_count;
};

/* Memory of the card, with a copy of `from` unless that is null. */
template <class T> static T *send(GpuSelfplay *g, const void *from, size_t bytes)
{
    void *at = nullptr;
    if (g->error == cudaSuccess)
        g->error = cudaMalloc(&at, bytes);
    if (g->error == cudaSuccess)
        g->error =
            from ? cudaMemcpy(at, from, bytes, cudaMemcpyHostToDevice) : cudaMemset(at, 0, bytes);
    g->owned[g->owned_count++] = at;
    return (T *)at;
}

static void send_net(GpuSelfplay *g, const GpuSelfplayPlan *p)
{
    const size_t rows = p->weights * sizeof(int16_t);
    const size_t outputs = (size_t)p->net.buckets * 2 * G_HIDDEN * sizeof(int16_t);
    GNet *net = &g->kernel.net;
    *net = p->net;
    net->rows = send<G4>(g, p->net.rows, rows);
    net->negated = send<G4>(g, p->net.negated, rows);
    net->bias = send<G4>(g, p->net.bias, G_HIDDEN * sizeof(int16_t));
    net->output = send<G4>(g, p->net.output, outputs);
    net->output_bias =
        send<int32_t>(g, p->net.output_bias, (size_t)p->net.buckets * sizeof(int32_t));
}

/* Games that have not begun, each with its number. */
static void send_games(GpuSelfplay *g, const GpuSelfplayPlan *p)
{
    size_t warps = (size_t)g->kernel.rules.warps;
    GGame *games = new (std::nothrow) GGame[warps]();
    if (!games) {
        g->error = cudaErrorMemoryAllocation;
        return;
    }
    for (size_t i = 0; i < warps; i++)
        games[i].number = p->first_game + i;
    g->kernel.games = send<GGame>(g, games, warps * sizeof *games);
    delete[] games;
}

static void prepare(GpuSelfplay *g, const GpuSelfplayPlan *p)
{
    int processors = 0;
    g->error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    g->blocks = processors * BLOCKS_ON_PROCESSOR;
    size_t warps = (size_t)g->blocks * WARPS_IN_BLOCK;
    Kernel *k = &g->kernel;
    k->rules = p->rules;
    k->rules.warps = warps;
    send_net(g, p);
    k->tables = send<GTables>(g, p->tables, sizeof(GTables));
    k->random_keys = send<uint64_t>(g, p->random_keys, G_KEYS * sizeof(uint64_t));
    k->first = send<GPosition>(g, p->first, sizeof(GPosition));
    k->memory = send<GMemory>(g, nullptr, warps * sizeof(GMemory));
    send_games(g, p);
    k->out.at = send<uint16_t>(g, nullptr, OUTPUT_CAPACITY * sizeof(uint16_t));
    k->out.capacity = OUTPUT_CAPACITY;
    g->counters = send<unsigned long long>(g, nullptr, 2 * sizeof(unsigned long long));
    k->out.used = g->counters;
    k->out.nodes = g->counters + 1;
    g->games = new (std::nothrow) uint16_t[OUTPUT_CAPACITY];
    if (!g->games)
        g->error = cudaErrorMemoryAllocation;
}

static const char *gpu_selfplay_open(GpuSelfplay **out, const GpuSelfplayPlan *plan)
{
    GpuSelfplay *g = new (std::nothrow) GpuSelfplay();
    *out = g;
    if (!g)
        return "not enough memory for self-play on the GPU";
    prepare(g, plan);
    return told(g->error);
}

static const char *gpu_selfplay_start(GpuSelfplay *g, double seconds)
{
    g->kernel.nanoseconds = (unsigned long long)(seconds * 1e9);
    cudaError_t e = cudaMemset(g->counters, 0, 2 * sizeof *g->counters);
    if (e != cudaSuccess)
        return told(e);
    play<<<g->blocks, THREADS>>>(g->kernel);
    return told(cudaGetLastError());
}

static const char *gpu_selfplay_finish(GpuSelfplay *g, GpuSelfplayPart *part)
{
    unsigned long long counters[2] = {0, 0};
    cudaError_t e = cudaDeviceSynchronize();
    if (e == cudaSuccess)
        e = cudaMemcpy(counters, g->counters, sizeof counters, cudaMemcpyDeviceToHost);
    size_t used = counters[0] < OUTPUT_CAPACITY ? (size_t)counters[0] : 0;
    if (e == cudaSuccess)
        e = cudaMemcpy(g->games, g->kernel.out.at, used * sizeof *g->games, cudaMemcpyDeviceToHost);
    *part = {g->games, used, counters[1]};
    return counters[0] < OUTPUT_CAPACITY ? told(e) : "the GPU made more games than fit into a part";
}

static void gpu_selfplay_close(GpuSelfplay *g)
{
    for (int i = 0; i < g->owned_count; i++)
        cudaFree(g->owned[i]);
    delete[] g->games;
    delete g;
}

const GpuSelfplayer gpu_selfplayer = {gpu_selfplay_open, gpu_selfplay_start, gpu_selfplay_finish,
                                      gpu_selfplay_close};
