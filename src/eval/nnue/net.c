/* Nets in memory; net_file.c reads and writes them. */
#include "eval/nnue/net.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool net_sizes_fit(int64_t hidden, int64_t buckets, int64_t king_buckets, int64_t layers)
{
    int64_t step = layers ? 2 * NET_HIDDEN_STEP : NET_HIDDEN_STEP;
    return hidden >= step && hidden <= NET_HIDDEN_MAX && hidden % step == 0 &&
           (buckets == 1 || buckets == NET_BUCKETS_MAX) && feature_king_buckets_fit(king_buckets) &&
           (layers == 0 || layers == 2);
}

bool net_same_sizes(const NetSizes *a, const NetSizes *b)
{
    return a->hidden == b->hidden && a->buckets == b->buckets &&
           a->king_buckets == b->king_buckets && a->layers == b->layers;
}

/* Zeroed, on a boundary that every kernel can load from; what is large on huge pages: rows are read
 * from all over it, and each would miss the TLB. */
static void *array(size_t count, size_t size, bool *failed)
{
    size_t align = count * size >= MEMORY_LARGE_PAGE ? MEMORY_LARGE_PAGE : NET_ALIGNMENT;
    size_t bytes = (count * size + align - 1) / align * align;
    void *at = memory_aligned(align, bytes);
    if (!at) {
        *failed = true;
        return NULL;
    }
    memset(at, 0, bytes);
    return at;
}

static bool allocate(Net *n)
{
    size_t width = (size_t)n->sizes.hidden, buckets = (size_t)n->sizes.buckets;
    size_t rows = (size_t)n->sizes.king_buckets * FEATURE_COUNT;
    bool failed = false;
    n->ft_weights = array(rows * width, sizeof *n->ft_weights, &failed);
    n->ft_bias = array(width, sizeof *n->ft_bias, &failed);
    n->out_bias = array(buckets, sizeof *n->out_bias, &failed);
    n->history = calloc(1, 1);
    if (n->sizes.layers == 0) {
        n->out_weights = array(2 * width * buckets, sizeof *n->out_weights, &failed);
    } else {
        n->l1_weights = array(buckets * width * NET_L1, sizeof *n->l1_weights, &failed);
        n->l1_bias = array(buckets * NET_L1, sizeof *n->l1_bias, &failed);
        n->l2_weights = array(buckets * 2 * NET_L1 * NET_L2, sizeof *n->l2_weights, &failed);
        n->l2_bias = array(buckets * NET_L2, sizeof *n->l2_bias, &failed);
        n->l3_weights = array(buckets * NET_L2, sizeof *n->l3_weights, &failed);
    }
    return !failed && n->history;
}

Status net_new(Net **net, const NetSizes *sizes, Message *why)
{
    Net *n = calloc(1, sizeof *n);
    if (!n)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a net");
    *n = (Net){.sizes = *sizes, .scale = NET_SCALE, .qb = NET_QB, .id = "net"};
    n->wdl = net_wdl_default();
    if (!allocate(n)) {
        net_free(n);
        return status_fail(why, STATUS_MEMORY, "not enough memory for a net of %d neurons",
                           sizes->hidden);
    }
    *net = n;
    return STATUS_OK;
}

void net_free(Net *net)
{
    if (!net)
        return;
    memory_aligned_free(net->ft_weights);
    memory_aligned_free(net->ft_bias);
    memory_aligned_free(net->out_weights);
    memory_aligned_free(net->l1_weights);
    memory_aligned_free(net->l1_bias);
    memory_aligned_free(net->l2_weights);
    memory_aligned_free(net->l2_bias);
    memory_aligned_free(net->l3_weights);
    memory_aligned_free(net->out_bias);
    free(net->history);
    free(net);
}

Status net_set_history(Net *net, const char *text, Message *why)
{
    size_t len = strlen(text);
    if (len > NET_HISTORY_MAX)
        return status_fail(why, STATUS_INVALID, "a history of %zu bytes; the maximum is %d", len,
                           NET_HISTORY_MAX);
    char *copy = malloc(len + 1);
    if (!copy)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a history");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        copy[i] = (c < ' ' && c != '\n') || c == 127 ? ' ' : (char)c;
    }
    copy[len] = '\0';
    free(net->history);
    net->history = copy;
    return STATUS_OK;
}

/* -- The WDL model -- */

/* Fitted on 2026-11-15 to 71,563 positions of 700 own games at 8,000 nodes a move with the net
 * 512x8-289da115. */
NetWdl net_wdl_default(void)
{
    return (NetWdl){.a = {173400, -425400, 322900}, .b = {9200, -15800, 75800}};
}

/* Thousandths at the material m, in hundredths of a full board's. */
static int64_t at_material(const int32_t quadratic[3], int64_t m)
{
    return (quadratic[0] * m * m / 100 + quadratic[1] * m) / 100 + quadratic[2];
}

bool net_wdl_fits(const NetWdl *wdl)
{
    enum { LEAST = 25, MOST = 140, LIMIT = 100000000 };
    for (int i = 0; i < 3; i++)
        if (wdl->a[i] < -LIMIT || wdl->a[i] > LIMIT || wdl->b[i] < -LIMIT || wdl->b[i] > LIMIT)
            return false;
    for (int m = LEAST; m <= MOST; m++)
        if (at_material(wdl->a, m) < 1000 || at_material(wdl->b, m) < 1000)
            return false;
    return true;
}
