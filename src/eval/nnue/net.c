#include "eval/nnue/net.h"

#include "base/checksum.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

/* The file: magic, checksum of everything after it, the fields below, the history padded to eight
 * bytes, then the four arrays in the order of struct Net. */
static const char magic[8] = {'C', 'A', 'S', 'T', 'L', 'N', 'E', 'T'};

enum { VERSION = 1, INPUTS_MIRRORED_768 = 1, ACTIVATION_SCRELU = 1 };

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
    FIELD_RESERVED,
    FIELD_COUNT
} Field;

enum { CHECKSUM_AT = 8, FIELDS_AT = 16, HISTORY_AT = FIELDS_AT + 4 * FIELD_COUNT };

static uint32_t get32(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put32(uint8_t *b, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        b[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t get64(const uint8_t *b)
{
    return get32(b) | (uint64_t)get32(b + 4) << 32;
}

static void put64(uint8_t *b, uint64_t v)
{
    put32(b, (uint32_t)v);
    put32(b + 4, (uint32_t)(v >> 32));
}

static size_t padded(size_t history)
{
    return (history + 7) & ~(size_t)7;
}

static size_t weight_bytes(int hidden, int buckets)
{
    size_t shorts = (size_t)hidden * (FEATURE_COUNT + 1 + 2 * (size_t)buckets);
    return shorts * sizeof(int16_t) + (size_t)buckets * sizeof(int32_t);
}

bool net_sizes_fit(int64_t hidden, int64_t buckets)
{
    return hidden >= NET_HIDDEN_STEP && hidden <= NET_HIDDEN_MAX && hidden % NET_HIDDEN_STEP == 0 &&
           (buckets == 1 || buckets == NET_BUCKETS_MAX);
}

/* -- Memory -- */

/* Zeroed, on a boundary that every kernel can load from. */
static void *array(size_t count, size_t size)
{
    size_t bytes = (count * size + NET_ALIGNMENT - 1) / NET_ALIGNMENT * NET_ALIGNMENT;
    void *at = aligned_alloc(NET_ALIGNMENT, bytes);
    if (at)
        memset(at, 0, bytes);
    return at;
}

Status net_new(Net **net, int hidden, int buckets, Message *why)
{
    Net *n = calloc(1, sizeof *n);
    if (!n)
        return status_fail(why, STATUS_MEMORY, "no memory for a net");
    size_t width = (size_t)hidden;
    *n = (Net){.hidden = hidden, .buckets = buckets, .scale = NET_SCALE, .qb = NET_QB, .id = "net"};
    n->ft_weights = array(FEATURE_COUNT * width, sizeof *n->ft_weights);
    n->ft_bias = array(width, sizeof *n->ft_bias);
    n->out_weights = array(2 * width * (size_t)buckets, sizeof *n->out_weights);
    n->out_bias = array((size_t)buckets, sizeof *n->out_bias);
    n->history = calloc(1, 1);
    if (!n->ft_weights || !n->ft_bias || !n->out_weights || !n->out_bias || !n->history) {
        net_free(n);
        return status_fail(why, STATUS_MEMORY, "no memory for a net of %d neurons", hidden);
    }
    *net = n;
    return STATUS_OK;
}

void net_free(Net *net)
{
    if (!net)
        return;
    free(net->ft_weights);
    free(net->ft_bias);
    free(net->out_weights);
    free(net->out_bias);
    free(net->history);
    free(net);
}

static Status set_history(Net *net, const char *text, size_t len, Message *why)
{
    if (len > NET_HISTORY_MAX)
        return status_fail(why, STATUS_INVALID, "a history of %zu bytes; %d is the most", len,
                           NET_HISTORY_MAX);
    char *copy = malloc(len + 1);
    if (!copy)
        return status_fail(why, STATUS_MEMORY, "no memory for a history");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        copy[i] = (c < ' ' && c != '\n') || c == 127 ? ' ' : (char)c;
    }
    copy[len] = '\0';
    free(net->history);
    net->history = copy;
    return STATUS_OK;
}

Status net_set_history(Net *net, const char *text, Message *why)
{
    return set_history(net, text, strlen(text), why);
}

static void name_net(Net *net, uint64_t sum)
{
    snprintf(net->id, sizeof net->id, "net-%dx%d-%08x", net->hidden, net->buckets,
             (unsigned)(sum & 0xffffffff));
}

/* -- Reading -- */

static Status check_fields(const uint32_t field[FIELD_COUNT], Message *why)
{
    if (field[FIELD_VERSION] != VERSION)
        return status_fail(why, STATUS_INVALID, "a net file of version %u; only %d is understood",
                           field[FIELD_VERSION], VERSION);
    if (field[FIELD_INPUTS] != INPUTS_MIRRORED_768 || field[FIELD_ACTIVATION] != ACTIVATION_SCRELU)
        return status_fail(why, STATUS_INVALID, "inputs of kind %u, activation of kind %u: unknown",
                           field[FIELD_INPUTS], field[FIELD_ACTIVATION]);
    if (!net_sizes_fit(field[FIELD_HIDDEN], field[FIELD_BUCKETS]))
        return status_fail(why, STATUS_INVALID, "no net can have %u neurons and %u buckets",
                           field[FIELD_HIDDEN], field[FIELD_BUCKETS]);
    uint32_t qb = field[FIELD_QB];
    if (field[FIELD_QA] != NET_QA || qb < NET_QB || qb > NET_QB_MAX || (qb & (qb - 1)) != 0)
        return status_fail(why, STATUS_INVALID, "quantised by %u and %u: unknown", field[FIELD_QA],
                           qb);
    if (field[FIELD_SCALE] < NET_SCALE_MIN || field[FIELD_SCALE] > NET_SCALE_MAX)
        return status_fail(why, STATUS_INVALID, "a scale of %u is out of range",
                           field[FIELD_SCALE]);
    if (field[FIELD_HISTORY] > NET_HISTORY_MAX)
        return status_fail(why, STATUS_INVALID, "a history of %u bytes is too long",
                           field[FIELD_HISTORY]);
    return STATUS_OK;
}

static Status check_frame(const uint8_t *bytes, size_t len, uint32_t field[FIELD_COUNT],
                          Message *why)
{
    if (len < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return status_fail(why, STATUS_INVALID, "not a net file");
    if (len < HISTORY_AT)
        return status_fail(why, STATUS_INVALID, "a net file cut off in its header");
    for (int i = 0; i < FIELD_COUNT; i++)
        field[i] = get32(bytes + FIELDS_AT + 4 * i);
    Status s = check_fields(field, why);
    if (s != STATUS_OK)
        return s;
    size_t should = HISTORY_AT + padded(field[FIELD_HISTORY]) +
                    weight_bytes((int)field[FIELD_HIDDEN], (int)field[FIELD_BUCKETS]);
    if (len != should)
        return status_fail(why, STATUS_INVALID, "%zu bytes long instead of %zu", len, should);
    if (get64(bytes + CHECKSUM_AT) != checksum64(bytes + FIELDS_AT, len - FIELDS_AT))
        return status_fail(why, STATUS_INVALID, "the checksum does not fit: the file is damaged");
    return STATUS_OK;
}

static const uint8_t *get_shorts(int16_t *out, const uint8_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)(uint16_t)(from[2 * i] | from[2 * i + 1] << 8);
    return from + 2 * count;
}

static void get_weights(Net *net, const uint8_t *at)
{
    size_t hidden = (size_t)net->hidden, buckets = (size_t)net->buckets;
    at = get_shorts(net->ft_weights, at, FEATURE_COUNT * hidden);
    at = get_shorts(net->ft_bias, at, hidden);
    at = get_shorts(net->out_weights, at, 2 * hidden * buckets);
    for (size_t i = 0; i < buckets; i++)
        net->out_bias[i] = (int32_t)get32(at + 4 * i);
}

/* The kernels multiply in 16 bits: what does not fit must not get in. */
static Status check_weights(const Net *net, Message *why)
{
    size_t count = 2 * (size_t)net->hidden * (size_t)net->buckets;
    for (size_t i = 0; i < count; i++)
        if (net->out_weights[i] < -NET_WEIGHT_MAX || net->out_weights[i] > NET_WEIGHT_MAX)
            return status_fail(why, STATUS_INVALID, "output weight %zu is %d: out of range", i,
                               net->out_weights[i]);
    return STATUS_OK;
}

Status net_from_memory(Net **net, const uint8_t *bytes, size_t len, Message *why)
{
    uint32_t field[FIELD_COUNT];
    Net *n = NULL;
    Status s = check_frame(bytes, len, field, why);
    if (s == STATUS_OK)
        s = net_new(&n, (int)field[FIELD_HIDDEN], (int)field[FIELD_BUCKETS], why);
    if (s == STATUS_OK)
        s = set_history(n, (const char *)bytes + HISTORY_AT, field[FIELD_HISTORY], why);
    if (s == STATUS_OK) {
        n->scale = (int)field[FIELD_SCALE];
        n->qb = (int)field[FIELD_QB];
        get_weights(n, bytes + HISTORY_AT + padded(field[FIELD_HISTORY]));
        name_net(n, get64(bytes + CHECKSUM_AT));
        s = check_weights(n, why);
    }
    if (s != STATUS_OK) {
        net_free(n);
        return s;
    }
    *net = n;
    return STATUS_OK;
}

Status net_load(Net **net, const char *path, Message *why)
{
    char *bytes;
    size_t len;
    size_t limit = HISTORY_AT + NET_HISTORY_MAX + weight_bytes(NET_HIDDEN_MAX, NET_BUCKETS_MAX);
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

static uint8_t *put_shorts(uint8_t *to, const int16_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[2 * i] = (uint8_t)from[i];
        to[2 * i + 1] = (uint8_t)((uint16_t)from[i] >> 8);
    }
    return to + 2 * count;
}

static void put_weights(const Net *net, uint8_t *at)
{
    size_t hidden = (size_t)net->hidden, buckets = (size_t)net->buckets;
    at = put_shorts(at, net->ft_weights, FEATURE_COUNT * hidden);
    at = put_shorts(at, net->ft_bias, hidden);
    at = put_shorts(at, net->out_weights, 2 * hidden * buckets);
    for (size_t i = 0; i < buckets; i++)
        put32(at + 4 * i, (uint32_t)net->out_bias[i]);
}

Status net_to_memory(Net *net, uint8_t **bytes, size_t *len, Message *why)
{
    size_t history = strlen(net->history);
    size_t size = HISTORY_AT + padded(history) + weight_bytes(net->hidden, net->buckets);
    uint8_t *out = calloc(1, size);
    if (!out)
        return status_fail(why, STATUS_MEMORY, "no memory for a net file");
    const uint32_t field[FIELD_COUNT] = {
        [FIELD_VERSION] = VERSION,
        [FIELD_INPUTS] = INPUTS_MIRRORED_768,
        [FIELD_ACTIVATION] = ACTIVATION_SCRELU,
        [FIELD_HIDDEN] = (uint32_t)net->hidden,
        [FIELD_BUCKETS] = (uint32_t)net->buckets,
        [FIELD_QA] = NET_QA,
        [FIELD_QB] = (uint32_t)net->qb,
        [FIELD_SCALE] = (uint32_t)net->scale,
        [FIELD_HISTORY] = (uint32_t)history,
    };
    memcpy(out, magic, sizeof magic);
    for (int i = 0; i < FIELD_COUNT; i++)
        put32(out + FIELDS_AT + 4 * i, field[i]);
    memcpy(out + HISTORY_AT, net->history, history);
    put_weights(net, out + HISTORY_AT + padded(history));
    uint64_t sum = checksum64(out + FIELDS_AT, size - FIELDS_AT);
    put64(out + CHECKSUM_AT, sum);
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
