/* A net. For each side 768 mirrored inputs, once for each king bucket, feed a feature transformer
 * of `hidden` neurons, whose sums are the side's accumulator a. What follows is one of two:
 *
 * layers 0: SCReLU and one output for each output bucket (by the number of pieces),
 *     value = (sum of clamp(a, 0, QA)^2 * w / QA + bias) * scale / (QA * qb)
 * over both sides' accumulators, the side to move first.
 *
 * layers 2: pairwise products, then for each output bucket 16 neurons, 32 and one output,
 *     p[j]  = clamp(a[j], 0, QA) * clamp(a[j + hidden / 2], 0, QA) >> 9         0 .. 127
 *     z     = l1 . p + bias, limited to +-127 qb;  x = z * 129 / (4 qb)          -4096 .. 4095
 *     in    = 16 times max(x, 0), 16 times x^2 / 4096                            0 .. 4095
 *     y     = clamp((l2 . in + bias) / 1024, 0, 4095)
 *     value = (l3 . y + bias) * scale / 2^22
 * where divisions by powers of two round down.
 *
 * Values are 400 times the net's output when the scale is NET_SCALE. Another scale keeps a new
 * net's values as large as its forerunner's, so that the margins of the search keep their meaning.
 *
 * A net file is versioned and checksummed, little-endian, and carries the WDL model of its values
 * and its history as text: which games, which command, which losses made it. A file that is damaged
 * or not a net of this kind is refused. */
#ifndef EVAL_NNUE_NET_H
#define EVAL_NNUE_NET_H

#include "base/status.h"
#include "base/text.h"
#include "eval/nnue/features.h"

#include <stddef.h>
#include <stdint.h>

enum {
    NET_QA = 255,
    NET_QB = 64, /* the least; a net whose weights are small has 2, 4 or 8 times as much */
    NET_QB_MAX = 512,
    NET_SCALE = 400,
    NET_SCALE_MIN = 50,
    NET_SCALE_MAX = 3200,
    NET_HIDDEN_STEP =
        64, /* hidden sizes are multiples of this, or of twice as much before layers */
    NET_HIDDEN_MAX = 1536,
    NET_BUCKETS_MAX = 8,
    NET_L1 = 16, /* neurons of the layers behind pairwise products */
    NET_L2 = 32,
    NET_Q_LAYERS = 1024,     /* one in the weights of the second and third */
    NET_Q_ACTIVATION = 4096, /* one in what they are fed */
    NET_WEIGHT_MAX = 127,    /* of the output or first layer: 255 * 127 still fits 16 bits */
    NET_LAYER_MAX = 8191,    /* of the second and third: their sums then fit 32 bits */
    NET_ALIGNMENT = 64,
    NET_ID_SIZE = 40,
    NET_HISTORY_MAX = 1 << 20
};

typedef struct NetSizes {
    int hidden;       /* neurons of the feature transformer for each side */
    int buckets;      /* output buckets: 1 or 8 */
    int king_buckets; /* 1, 4, 8 or 16 */
    int layers;       /* hidden layers behind the feature transformer: 0 or 2 */
} NetSizes;

/* What values mean in results (search/wdl.h): quadratics in material, the highest power first, in
 * thousandths. */
typedef struct NetWdl {
    int32_t a[3], b[3];
} NetWdl;

typedef struct Net {
    NetSizes sizes;
    int scale, qb;
    NetWdl wdl;
    uint8_t *block;       /* holds the arrays */
    int16_t *ft_weights;  /* [king_buckets][FEATURE_COUNT][hidden] */
    int16_t *ft_bias;     /* [hidden] */
    int16_t *out_weights; /* layers 0: [buckets][2][hidden], the side to move first */
    int8_t *l1_weights;   /* layers 2: [buckets][hidden / 4][NET_L1][4]: inputs in groups of four */
    int32_t *l1_bias;     /* [buckets][NET_L1] */
    int16_t *l2_weights;  /* [buckets][NET_L1][NET_L2][2]: inputs in pairs */
    int32_t *l2_bias;     /* [buckets][NET_L2] */
    int16_t *l3_weights;  /* [buckets][NET_L2] */
    int32_t *out_bias;    /* both: [buckets] */
    char *history;        /* lines of text, never NULL */
    char id[NET_ID_SIZE]; /* "net-1024x8k8l2-1a2b3c4d": sizes and part of the checksum */
} Net;

/* True when a net of these sizes can be. */
bool net_sizes_fit(int64_t hidden, int64_t buckets, int64_t king_buckets, int64_t layers);

/* A net of zeros without history, with the WDL model of nets that carry none. */
Status net_new(Net **net, const NetSizes *sizes, Message *why);
void net_free(Net *net);

/* Replaces the history; control characters other than the newline become blanks. */
Status net_set_history(Net *net, Span text, Message *why);

/* The model of files of version 1, which carry none. */
NetWdl net_wdl_default(void);

/* True when the model gives positive scores and widths for all material. */
bool net_wdl_fits(const NetWdl *wdl);

/* Reads a net; on failure *net is untouched and the message says what is wrong with the file. */
Status net_load(Net **net, const char *path, Message *why);
Status net_from_memory(Net **net, const uint8_t *bytes, size_t len, Message *why);

/* Writes the file whole or not at all, and sets the net's id. */
Status net_write(Net *net, const char *path, Message *why);

/* The same into fresh memory, the caller's to free. */
Status net_to_memory(Net *net, uint8_t **bytes, size_t *len, Message *why);

/* The net built into this program; NULL and 0 when there is none. */
const uint8_t *net_embedded(size_t *len);

/* The WDL model of that net; the default one where it carries none, or there is no net. */
NetWdl net_embedded_wdl(void);

#endif
