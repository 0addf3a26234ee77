/* Training on the GPU: the same steps as on the CPU, some ten times as fast. Only a build
 * with CUDA=1 has it; any other says so when it is asked for.
 *
 * This header is read by C and by CUDA C++, so it speaks in plain types. Sums are added up in no
 * fixed order there: two runs agree to the last few bits, not in all of them. */
#ifndef TRAIN_TRAIN_GPU_H
#define TRAIN_TRAIN_GPU_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define ON_CARD __device__
#else
#define ON_CARD
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* All parameters in one block: input weights [tile][king bucket][feature][TILE], input bias
 * [hidden]; without layers output weights [bucket][side][hidden], output bias [bucket]; with layers
 * l1 [bucket][NET_L1][side][hidden / 2], l1 bias [bucket][NET_L1], l2 [bucket][2 * NET_L1][NET_L2],
 * l2 bias [bucket][NET_L2], l3 [bucket][NET_L2], output bias [bucket]. Gradients and moments have
 * the same shape.
 *
 * With several king buckets there is a factoriser: one more set of input rows that is added to
 * every bucket's. Its gradient is the sum of the buckets' gradients, and what it moves by, all
 * buckets move by. So it needs no weights of its own, only moments, which lie at `shared` as
 * [tile][feature][TILE].
 *
 * Before layers neuron k of a tile has its partner at k + TILE / 2. */
typedef struct NetShape {
    int hidden, buckets, king_buckets, layers; /* as in NetSizes */
    int rows;                                  /* inputs of all king buckets */
    size_t bias, out, out_end;   /* out: output weights, or those of the first layer */
    size_t l1_bias, l2, l2_bias; /* with layers only */
    size_t l3, out_bias;
    size_t shared; /* the factoriser's moments; everything before it is a parameter */
    size_t count;  /* a multiple of TRAIN_LANES */
} NetShape;

/* A permutation of the positions, computed instead of stored: a Feistel network over the smallest
 * power of four that holds them, walked until it lands inside. */
typedef struct Shuffle {
    uint64_t count;
    int half_bits;
    uint64_t key[4];
} Shuffle;

static inline ON_CARD uint64_t shuffle_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

static inline ON_CARD uint64_t shuffle_at(const Shuffle *s, uint64_t index)
{
    uint64_t mask = (1ULL << s->half_bits) - 1;
    do {
        uint64_t left = index >> s->half_bits, right = index & mask;
        for (int i = 0; i < 4; i++) {
            uint64_t next = left ^ (shuffle_mix(right + s->key[i]) & mask);
            left = right;
            right = next;
        }
        index = left << s->half_bits | right;
    } while (index >= s->count);
    return index;
}

/* One step of AdamW. */
typedef struct AdamStep {
    float rate, decay;
    float scale;                       /* of the gradients: 1 / batch */
    float first_keep, second_keep;     /* how much of the moments it keeps */
    float first_factor, second_factor; /* bias corrections of the moments */
} AdamStep;

/* How far a parameter with this gradient moves; its moments are updated. */
static inline ON_CARD float adam_stride(const AdamStep *step, float *first, float *second,
                                        float gradient)
{
    float g = gradient * step->scale;
    float m = *first * step->first_keep + (1 - step->first_keep) * g;
    float v = *second * step->second_keep + (1 - step->second_keep) * g * g;
    *first = m;
    *second = v;
    return step->rate * (m * step->first_factor) / (sqrtf(v * step->second_factor) + 1e-8f);
}

/* What is sent to the card at the start. */
typedef struct GpuPlan {
    NetShape shape;
    int features, tile;
    uint8_t king_bucket[64];               /* of a king in its own view */
    const float *weights, *first, *second; /* parameters and moments */
    const void *train, *held_out;          /* positions (Sample, 32 bytes each) */
    size_t train_count, held_out_count;
    float wdl, score_scale;
    float clip, out_clip,
        layer_clip; /* limits of weights: inputs; outputs or first layer; the rest */
} GpuPlan;

typedef struct Gpu Gpu;

/* Whether this program can do it at all: NULL, or why not. */
const char *gpu_absent(void);

/* What a card does; nothing in builds without CUDA. Each returns NULL when it went well, or why
 * not; that text lives as long as the program. */
typedef struct GpuTrainer {
    const char *(*open)(Gpu **gpu, const GpuPlan *plan);
    const char *(*get)(Gpu *gpu, float *weights, float *first, float *second);

    /* Learns from `batch` positions of the order beginning with `from`; *loss is their summed
     * loss. */
    const char *(*learn)(Gpu *gpu, const Shuffle *order, size_t from, int batch,
                         const AdamStep *step, double *loss);

    /* The gradient and loss of the first `count` positions, summed; nothing moves. */
    const char *(*gradient)(Gpu *gpu, size_t count, float *gradient, double *loss);

    /* The summed loss of all held-out positions. */
    const char *(*validate)(Gpu *gpu, double *loss);
    void (*close)(Gpu *gpu);
} GpuTrainer;

extern const GpuTrainer gpu_trainer;

#ifdef __cplusplus
}
#endif
#endif
