/* Net files. Magic, checksum of everything after it, the fields below, the history padded to eight
 * bytes, then the arrays in the order of struct Net, the feature transformer's rows packed
 * (net_pack.h). Files of version 1 have the first ten fields alone, one king bucket, no layers, no
 * WDL model, and rows that are not packed. */
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "eval/nnue/net.h"
#include "eval/nnue/net_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'C', 'A', 'S', 'T', 'L', 'N', 'E', 'T'};

enum { VERSION_PLAIN = 1, VERSION = 2, INPUTS_MIRRORED_768 = 1 };
enum { ACTIVATION_SCRELU = 1, ACTIVATION_PAIRWISE = 2 };

typedef enum Field {
    FIELD_VERSION,
    FIELD_INPUTS,
    FIELD_ACTIVATION,
    FIELD_HIDDEN,
    FIELD_BUCKETS,
    FIELD_QA,
    FIELD_QB,
    FIELD_SCALE,
    FIELD_HISTORY,
    FIELD_KING_BUCKETS, /* 0 in version 1 */
    FIELD_PACKED,       /* bytes of the packed rows */
    FIELD_WDL,          /* six of them */
    FIELD_RESERVED = FIELD_WDL + 6,
    FIELD_COUNT,
    FIELD_COUNT_PLAIN = FIELD_PACKED
} Field;

enum { CHECKSUM_AT = 8, FIELDS_AT = 16, HEADER_MAX = FIELDS_AT + 4 * FIELD_COUNT };

/* A header that was read, and where the rest begins. */
typedef struct Frame {
    uint32_t field[FIELD_COUNT];
    NetSizes sizes;
    size_t history_at, weights_at;
} Frame;

static size_t padded(size_t history)
{
    return (history + 7) & ~(size_t)7;
}

static size_t row_weights(const NetSizes *s)
{
    return (size_t)s->king_buckets * FEATURE_COUNT * (size_t)s->hidden;
}

/* An array of a net. */
typedef struct Tensor {
    void *at;
    size_t size, count; /* bytes of a number, numbers */
    int limit;          /* of what they may be, 0: any */
    const char *name;   /* of weights */
} Tensor;

enum { TENSORS_MAX = 7, BIAS_MAX = 1 << 28 };

/* The arrays behind the rows, in the order of the file. The kernels multiply in 16 bits and add in
 * 32: the limits keep out what does not fit. */
static int list_tensors(const Net *n, Tensor out[TENSORS_MAX])
{
    size_t hidden = (size_t)n->sizes.hidden, buckets = (size_t)n->sizes.buckets;
    Tensor *t = out;
    *t++ = (Tensor){n->ft_bias, 2, hidden, 0, NULL};
    if (n->sizes.layers == 0) {
        *t++ = (Tensor){n->out_weights, 2, 2 * hidden * buckets, NET_WEIGHT_MAX, "output"};
        *t++ = (Tensor){n->out_bias, 4, buckets, 0, NULL};
        return (int)(t - out);
    }
    *t++ = (Tensor){n->l1_weights, 1, hidden * NET_L1 * buckets, 0, NULL};
    *t++ = (Tensor){n->l1_bias, 4, NET_L1 * buckets, BIAS_MAX, NULL};
    *t++ = (Tensor){n->l2_weights, 2, 2 * NET_L1 * NET_L2 * buckets, NET_LAYER_MAX, "second layer"};
    *t++ = (Tensor){n->l2_bias, 4, NET_L2 * buckets, BIAS_MAX, NULL};
    *t++ = (Tensor){n->l3_weights, 2, NET_L2 * buckets, NET_LAYER_MAX, "third layer"};
    *t++ = (Tensor){n->out_bias, 4, buckets, BIAS_MAX, NULL};
    return (int)(t - out);
}

static int32_t number_at(const Tensor *t, size_t i)
{
    return t->size == 1   ? ((const int8_t *)t->at)[i]
           : t->size == 2 ? ((const int16_t *)t->at)[i]
                          : ((const int32_t *)t->at)[i];
}

/* Everything behind the rows. */
static size_t tail_bytes(const NetSizes *s)
{
    Tensor tensors[TENSORS_MAX];
    int count = list_tensors(&(Net){.sizes = *s}, tensors);
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += tensors[i].size * tensors[i].count;
    return bytes;
}

static void name_net(Net *net, uint64_t sum)
{
    const NetSizes *s = &net->sizes;
    char kings[16] = "", layers[16] = "";
    if (s->king_buckets > 1)
        snprintf(kings, sizeof kings, "k%d", s->king_buckets);
    if (s->layers)
        snprintf(layers, sizeof layers, "l%d", s->layers);
    snprintf(net->id, sizeof net->id, "net-%dx%d%.4s%.4s-%08x", s->hidden, s->buckets, kings,
             layers, (unsigned)(sum & 0xffffffff));
}

/* -- Reading -- */

static Status check_fields(const uint32_t field[FIELD_COUNT], Message *why)
{
    uint32_t qb = field[FIELD_QB], activation = field[FIELD_ACTIVATION];
    bool plain = field[FIELD_VERSION] == VERSION_PLAIN;
    if (field[FIELD_INPUTS] != INPUTS_MIRRORED_768 ||
        (activation != ACTIVATION_SCRELU && (plain || activation != ACTIVATION_PAIRWISE)))
        return status_fail(why, STATUS_INVALID, "unknown kind of inputs (%u) or activation (%u)",
                           field[FIELD_INPUTS], activation);
    if (!net_sizes_fit(field[FIELD_HIDDEN], field[FIELD_BUCKETS], field[FIELD_KING_BUCKETS],
                       activation == ACTIVATION_PAIRWISE ? 2 : 0))
        return status_fail(why, STATUS_INVALID,
                           "unsupported size: %u neurons, %u buckets, %u king buckets",
                           field[FIELD_HIDDEN], field[FIELD_BUCKETS], field[FIELD_KING_BUCKETS]);
    if (field[FIELD_QA] != NET_QA || qb < NET_QB || qb > NET_QB_MAX || (qb & (qb - 1)) != 0)
        return status_fail(why, STATUS_INVALID, "unknown quantisation: %u and %u", field[FIELD_QA],
                           qb);
    if (field[FIELD_SCALE] < NET_SCALE_MIN || field[FIELD_SCALE] > NET_SCALE_MAX)
        return status_fail(why, STATUS_INVALID, "scale %u is out of range", field[FIELD_SCALE]);
    if (field[FIELD_HISTORY] > NET_HISTORY_MAX)
        return status_fail(why, STATUS_INVALID, "a history of %u bytes is too long",
                           field[FIELD_HISTORY]);
    return STATUS_OK;
}

/* The fields of either version. */
static Status read_fields(const uint8_t *bytes, size_t len, Frame *f, Message *why)
{
    if (len < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return status_fail(why, STATUS_INVALID, "not a net file");
    if (len < FIELDS_AT + 4 * FIELD_COUNT_PLAIN)
        return status_fail(why, STATUS_INVALID, "truncated net file: incomplete header");
    uint32_t version = bytes_get32(bytes + FIELDS_AT);
    if (version != VERSION_PLAIN && version != VERSION)
        return status_fail(why, STATUS_INVALID,
                           "unsupported net file version %u (supported: 1 to %d)", version,
                           VERSION);
    int count = version == VERSION_PLAIN ? FIELD_COUNT_PLAIN : FIELD_COUNT;
    f->history_at = FIELDS_AT + 4 * (size_t)count;
    if (len < f->history_at)
        return status_fail(why, STATUS_INVALID, "truncated net file: incomplete header");
    for (int i = 0; i < count; i++)
        f->field[i] = bytes_get32(bytes + FIELDS_AT + 4 * i);
    if (version == VERSION_PLAIN)
        f->field[FIELD_KING_BUCKETS] = 1;
    return check_fields(f->field, why);
}

static Status check_frame(const uint8_t *bytes, size_t len, Frame *f, Message *why)
{
    Status s = read_fields(bytes, len, f, why);
    if (s != STATUS_OK)
        return s;
    const uint32_t *field = f->field;
    f->sizes = (NetSizes){.hidden = (int)field[FIELD_HIDDEN],
                          .buckets = (int)field[FIELD_BUCKETS],
                          .king_buckets = (int)field[FIELD_KING_BUCKETS],
                          .layers = field[FIELD_ACTIVATION] == ACTIVATION_PAIRWISE ? 2 : 0};
    f->weights_at = f->history_at + padded(field[FIELD_HISTORY]);
    size_t rows = field[FIELD_VERSION] == VERSION_PLAIN ? 2 * row_weights(&f->sizes)
                                                        : (size_t)field[FIELD_PACKED];
    size_t should = f->weights_at + rows + tail_bytes(&f->sizes);
    if (len != should)
        return status_fail(why, STATUS_INVALID, "%zu bytes long instead of %zu", len, should);
    if (bytes_get64(bytes + CHECKSUM_AT) != checksum64(bytes + FIELDS_AT, len - FIELDS_AT))
        return status_fail(why, STATUS_INVALID, "wrong checksum: the file is damaged");
    return STATUS_OK;
}

static const uint8_t *get_tensor(const Tensor *t, const uint8_t *from)
{
    for (size_t i = 0; i < t->count; i++, from += t->size) {
        if (t->size == 1)
            ((int8_t *)t->at)[i] = (int8_t)*from;
        else if (t->size == 2)
            ((int16_t *)t->at)[i] = (int16_t)bytes_get16(from);
        else
            ((int32_t *)t->at)[i] = (int32_t)bytes_get32(from);
    }
    return from;
}

static Status check_tensor(const Tensor *t, Message *why)
{
    for (size_t i = 0; t->limit && i < t->count; i++) {
        int value = number_at(t, i);
        if (value >= -t->limit && value <= t->limit)
            continue;
        if (t->name)
            return status_fail(why, STATUS_INVALID, "%s weight %zu is %d: out of range", t->name, i,
                               value);
        return status_fail(why, STATUS_INVALID, "a bias of %d: out of range", value);
    }
    return STATUS_OK;
}

static Status get_weights(Net *net, const Frame *f, const uint8_t *at, Message *why)
{
    size_t rows = row_weights(&net->sizes), packed = f->field[FIELD_PACKED];
    Status s = STATUS_OK;
    if (f->field[FIELD_VERSION] == VERSION_PLAIN)
        at = get_tensor(&(Tensor){net->ft_weights, 2, rows, 0, NULL}, at);
    else
        s = net_unpack(net->ft_weights, rows, FEATURE_COUNT * (size_t)net->sizes.hidden, at, packed,
                       why);
    at += packed;
    Tensor tensors[TENSORS_MAX];
    int count = list_tensors(net, tensors);
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        at = get_tensor(&tensors[i], at);
        s = check_tensor(&tensors[i], why);
    }
    return s;
}

static NetWdl wdl_of_fields(const Frame *f)
{
    NetWdl wdl = net_wdl_default();
    for (int i = 0; i < 3 && f->field[FIELD_VERSION] != VERSION_PLAIN; i++) {
        wdl.a[i] = (int32_t)f->field[FIELD_WDL + i];
        wdl.b[i] = (int32_t)f->field[FIELD_WDL + 3 + i];
    }
    return wdl;
}

NetWdl net_embedded_wdl(void)
{
    size_t len;
    const uint8_t *bytes = net_embedded(&len);
    Frame f = {.field = {0}};
    if (!bytes || read_fields(bytes, len, &f, NULL) != STATUS_OK)
        return net_wdl_default();
    NetWdl wdl = wdl_of_fields(&f);
    return net_wdl_fits(&wdl) ? wdl : net_wdl_default();
}

static Status get_wdl(Net *net, const Frame *f, Message *why)
{
    net->wdl = wdl_of_fields(f);
    return net_wdl_fits(&net->wdl)
               ? STATUS_OK
               : status_fail(why, STATUS_INVALID, "the WDL model is out of range");
}

Status net_from_memory(Net **net, const uint8_t *bytes, size_t len, Message *why)
{
    Frame f = {.field = {0}};
    Net *n = NULL;
    Status s = check_frame(bytes, len, &f, why);
    if (s == STATUS_OK)
        s = net_new(&n, &f.sizes, why);
    if (s == STATUS_OK)
        s = net_set_history(n, (Span){(const char *)bytes + f.history_at, f.field[FIELD_HISTORY]},
                            why);
    if (s == STATUS_OK)
        s = get_wdl(n, &f, why);
    if (s == STATUS_OK) {
        n->scale = (int)f.field[FIELD_SCALE];
        n->qb = (int)f.field[FIELD_QB];
        name_net(n, bytes_get64(bytes + CHECKSUM_AT));
        s = get_weights(n, &f, bytes + f.weights_at, why);
    }
    return GIVE_OR_CLOSE(s, net, n, net_free);
}

Status net_load(Net **net, const char *path, Message *why)
{
    char *bytes;
    size_t len;
    const NetSizes flat = {NET_HIDDEN_MAX, NET_BUCKETS_MAX, KING_BUCKETS_MAX, 0};
    const NetSizes deep = {NET_HIDDEN_MAX, NET_BUCKETS_MAX, KING_BUCKETS_MAX, 2};
    /* Codes of the longest kind make packed rows longer than plain ones. */
    size_t limit = HEADER_MAX + NET_HISTORY_MAX + 5 * row_weights(&flat) + tail_bytes(&flat) +
                   tail_bytes(&deep);
    Status s = file_read(&bytes, &len, path, limit, why);
    if (s != STATUS_OK)
        return s;
    s = net_from_memory(net, (const uint8_t *)bytes, len, why);
    free(bytes);
    if (s != STATUS_OK && why)
        message_prefix(why, "%s: ", path);
    return s;
}

/* -- Writing -- */

static void put_tail(const Net *net, uint8_t *at)
{
    Tensor tensors[TENSORS_MAX];
    int count = list_tensors(net, tensors);
    for (const Tensor *t = tensors; t < tensors + count; t++)
        for (size_t i = 0; i < t->count; i++)
            for (size_t byte = 0; byte < t->size; byte++)
                *at++ = (uint8_t)(number_at(t, i) >> 8 * byte);
}

static void put_header(const Net *net, uint8_t *out, size_t history, size_t packed)
{
    uint32_t field[FIELD_COUNT] = {
        [FIELD_VERSION] = VERSION,
        [FIELD_INPUTS] = INPUTS_MIRRORED_768,
        [FIELD_ACTIVATION] = net->sizes.layers ? ACTIVATION_PAIRWISE : ACTIVATION_SCRELU,
        [FIELD_HIDDEN] = (uint32_t)net->sizes.hidden,
        [FIELD_BUCKETS] = (uint32_t)net->sizes.buckets,
        [FIELD_QA] = NET_QA,
        [FIELD_QB] = (uint32_t)net->qb,
        [FIELD_SCALE] = (uint32_t)net->scale,
        [FIELD_HISTORY] = (uint32_t)history,
        [FIELD_KING_BUCKETS] = (uint32_t)net->sizes.king_buckets,
        [FIELD_PACKED] = (uint32_t)packed,
    };
    for (int i = 0; i < 3; i++) {
        field[FIELD_WDL + i] = (uint32_t)net->wdl.a[i];
        field[FIELD_WDL + 3 + i] = (uint32_t)net->wdl.b[i];
    }
    memcpy(out, magic, sizeof magic);
    for (int i = 0; i < FIELD_COUNT; i++)
        bytes_put32(out + FIELDS_AT + 4 * i, field[i]);
}

Status net_to_memory(Net *net, uint8_t **bytes, size_t *len, Message *why)
{
    size_t history = strlen(net->history), packed;
    uint8_t *rows;
    Status s = net_pack(net->ft_weights, row_weights(&net->sizes),
                        FEATURE_COUNT * (size_t)net->sizes.hidden, &rows, &packed, why);
    if (s != STATUS_OK)
        return s;
    size_t size = HEADER_MAX + padded(history) + packed + tail_bytes(&net->sizes);
    uint8_t *out = calloc(1, size);
    if (!out) {
        free(rows);
        return status_fail(why, STATUS_MEMORY, "not enough memory for a net file");
    }
    put_header(net, out, history, packed);
    memcpy(out + HEADER_MAX, net->history, history);
    uint8_t *at = out + HEADER_MAX + padded(history);
    memcpy(at, rows, packed);
    free(rows);
    put_tail(net, at + packed);
    uint64_t sum = checksum64(out + FIELDS_AT, size - FIELDS_AT);
    bytes_put64(out + CHECKSUM_AT, sum);
    name_net(net, sum);
    *bytes = out;
    *len = size;
    return STATUS_OK;
}

Status net_write(Net *net, const char *path, Message *why)
{
    uint8_t *bytes;
    size_t len;
    Status s = net_to_memory(net, &bytes, &len, why);
    if (s != STATUS_OK)
        return s;
    s = file_write_atomic(path, bytes, len, why);
    free(bytes);
    return s;
}
