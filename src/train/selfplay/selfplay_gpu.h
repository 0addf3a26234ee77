/* Self-play on the GPU: thousands of games at once, a warp for each (train/gpu/). Only a build with
 * CUDA=1 has it; any other says so when it is asked for. Read by C and by CUDA C++. */
#ifndef TRAIN_SELFPLAY_GPU_H
#define TRAIN_SELFPLAY_GPU_H

#include "train/gpu/gpu_game.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is sent to the card at the start, in the host's memory. */
typedef struct GpuSelfplayPlan {
    GNet net;
    size_t weights; /* in its rows */
    const GTables *tables;
    const GPosition *first;
    const uint64_t *random_keys;
    GRules rules; /* the warps are counted later */
    uint64_t first_game;
} GpuSelfplayPlan;

/* What a part of the run made: for each game the number of plies, the result (G_DRAWN ...), the
 * moves and the scores. */
typedef struct GpuSelfplayPart {
    const uint16_t *games;
    size_t used;
    uint64_t nodes;
} GpuSelfplayPart;

typedef struct GpuSelfplay GpuSelfplay;

/* What a card does; nothing in builds without CUDA. Each returns NULL when it went well, or why
 * not; that text lives as long as the program. */
typedef struct GpuSelfplayer {
    const char *(*open)(GpuSelfplay **g, const GpuSelfplayPlan *plan);
    /* Plays for some time, in the background; games under way go on in the next part. */
    const char *(*start)(GpuSelfplay *g, double seconds);
    /* Waits for the end of the part. Its games are there until the next one ends. */
    const char *(*finish)(GpuSelfplay *g, GpuSelfplayPart *part);
    void (*close)(GpuSelfplay *g);
} GpuSelfplayer;

extern const GpuSelfplayer gpu_selfplayer;

#ifdef __cplusplus
}
#endif
#endif
