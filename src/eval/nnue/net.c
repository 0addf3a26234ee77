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

/* The next array of the block that is filled from *at on, on a boundary that every kernel can load
 * from. */
static void *place(uint8_t *block, size_t *at, size_t bytes)
{
    uint8_t *array = block ? block + *at : NULL;
    *at += (bytes + NET_ALIGNMENT - 1) / NET_ALIGNMENT * NET_ALIGNMENT;
    return array;
}

/* The arrays one behind the other. Returns their size; without a block it sets no pointer. */
static size_t place_arrays(Net *n, uint8_t *block)
{
    size_t width = (size_t)n->sizes.hidden, buckets = (size_t)n->sizes.buckets, at = 0;
    size_t rows = (size_t)n->sizes.king_buckets * FEATURE_COUNT;
    n->ft_weights = place(block, &at, rows * width * sizeof *n->ft_weights);
    n->ft_bias = place(block, &at, width * sizeof *n->ft_bias);
    n->out_bias = place(block, &at, buckets * sizeof *n->out_bias);
    if (n->sizes.layers == 0) {
        n->out_weights = place(block, &at, 2 * width * buckets * sizeof *n->out_weights);
        return at;
    }
    n->l1_weights = place(block, &at, buckets * width * NET_L1 * sizeof *n->l1_weights);
    n->l1_bias = place(block, &at, buckets * NET_L1 * sizeof *n->l1_bias);
    n->l2_weights = place(block, &at, buckets * 2 * NET_L1 * NET_L2 * sizeof *n->l2_weights);
    n->l2_bias = place(block, &at, buckets * NET_L2 * sizeof *n->l2_bias);
    n->l3_weights = place(block, &at, buckets * NET_L2 * sizeof *n->l3_weights);
    return at;
}

/* Zeroed, and on huge pages: rows are read from all over the first array, and each would miss the
 * TLB. */
static bool allocate(Net *n)
{
    size_t bytes = place_arrays(n, NULL);
    bytes = (bytes + MEMORY_LARGE_PAGE - 1) / MEMORY_LARGE_PAGE * MEMORY_LARGE_PAGE;
    n->block = memory_aligned(MEMORY_LARGE_PAGE, bytes);
    n->history = calloc(1, 1);
    if (!n->block || !n->history)
        return false;
    memset(n->block, 0, bytes);
    place_arrays(n, n->block);
    return true;
}

Status net_new(Net **net, const NetSizes *sizes, Message *why)
{
    Net *n = calloc(1, sizeof *n);
    if (!n)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a net");
    *n = (Net){.sizes = *sizes, .scale = NET_SCALE, .qb = NET_QB, .id = "net"};
    n->wdl = net_wdl_default();
    Status s = allocate(n)
                   ? STATUS_OK
                   : status_fail(why, STATUS_MEMORY, "not enough memory for a net of %d neurons",
                                 sizes->hidden);
    return GIVE_OR_CLOSE(s, net, n, net_free);
}

void net_free(Net *net)
{
    if (!net)
        return;
    memory_aligned_free(net->block);
    free(net->history);
    free(net);
}

Status net_set_history(Net *net, Span text, Message *why)
{
    if (text.len > NET_HISTORY_MAX)
        return status_fail(why, STATUS_INVALID, "a history of %zu bytes; the maximum is %d",
                           text.len, NET_HISTORY_MAX);
    char *copy = malloc(text.len + 1);
    if (!copy)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a history");
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        copy[i] = (c < ' ' && c != '\n') || c == 127 ? ' ' : (char)c;
    }
    copy[text.len] = '\0';
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
