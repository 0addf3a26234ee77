/* What the host prepares for games on the card. */
#ifndef TRAIN_GPU_HOST_H
#define TRAIN_GPU_HOST_H

#include "chess/position.h"
#include "eval/nnue/net.h"
#include "train/gpu/gpu_search.h"

/* Lines and leapers of every square. */
void gpu_tables(GTables *t);

/* G_KEYS random numbers, always the same. */
void gpu_random_keys(uint64_t *keys);

/* A position of standard chess, as a search on the card begins with it. */
void gpu_position(GPosition *to, const Position *p, const uint64_t *keys);

/* Whether the card can play with a net: NULL, or why not. */
const char *gpu_net_refused(const Net *net);

/* The number of weights of the feature transformer. */
size_t gpu_net_weights(const Net *net);

/* The net as the card has it, in the host's memory. `negated`, with room for these weights, gets
 * them with opposite signs. */
GNet gpu_net(const Net *net, int16_t *negated);

#endif
