/* A net: 768 mirrored inputs for each side -> hidden neurons, SCReLU, -> one output for each bucket
 * of piece counts. A net file is versioned and checksummed, little-endian, and carries its history
 * as text: which games, which command, which losses made it. A file that is damaged or not a net of
 * this kind is refused.
 *
 * The value of a position is
 *     (sum of clamp(a, 0, QA)^2 * w / QA + bias) * scale / (QA * qb), rounded,
 * over both sides' accumulators a, with w and bias of the bucket: 400 times the net's output when
 * the scale is NET_SCALE. Another scale keeps a new net's values as large as its forerunner's, so
 * that the margins of the search go on meaning what they did. */
#ifndef EVAL_NNUE_NET_H
#define EVAL_NNUE_NET_H

#include "base/status.h"
#include "eval/nnue/features.h"

#include <stddef.h>
#include <stdint.h>

enum {
    NET_QA = 255,
    NET_QB = 64, /* the least; a net whose output weights are small has 2, 4 or 8 times as much */
    NET_QB_MAX = 512,
    NET_SCALE = 400,
    NET_SCALE_MIN = 50,
    NET_SCALE_MAX = 3200,
    NET_HIDDEN_STEP = 64, /* hidden sizes are multiples of this */
    NET_HIDDEN_MAX = 1024,
    NET_BUCKETS_MAX = 8,
    NET_WEIGHT_MAX = 127, /* of the output: 255 * 127 still fits 16 bits */
    NET_ALIGNMENT = 64,
    NET_ID_SIZE = 32,
    NET_HISTORY_MAX = 1 << 20
};

typedef struct Net {
    int hidden, buckets, scale, qb;
    int16_t *ft_weights;  /* [FEATURE_COUNT][hidden] */
    int16_t *ft_bias;     /* [hidden] */
    int16_t *out_weights; /* [buckets][2][hidden]: the side to move first */
    int32_t *out_bias;    /* [buckets] */
    char *history;        /* lines of text, never NULL */
    char id[NET_ID_SIZE]; /* "net-256x8-1a2b3c4d": sizes and part of the checksum */
} Net;

/* True when a net of these sizes can be. */
bool net_sizes_fit(int64_t hidden, int64_t buckets);

/* A net of zeros without history. */
Status net_new(Net **net, int hidden, int buckets, Message *why);
void net_free(Net *net);

/* Replaces the history; control characters other than the newline become blanks. */
Status net_set_history(Net *net, const char *text, Message *why);

/* Reads a net; on failure *net is untouched and the message says what is wrong with the file. */
Status net_load(Net **net, const char *path, Message *why);
Status net_from_memory(Net **net, const uint8_t *bytes, size_t len, Message *why);

/* Writes the file whole or not at all, and sets the net's id. */
Status net_write(Net *net, const char *path, Message *why);

/* The same into fresh memory, the caller's to free. */
Status net_to_memory(Net *net, uint8_t **bytes, size_t *len, Message *why);

/* The net built into this program; NULL and 0 when there is none. */
const uint8_t *net_embedded(size_t *len);

#endif
