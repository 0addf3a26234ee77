/* The order of a net's pairs. The first layer skips groups of four products that are all zero:
 * neurons that are seldom on are put together, so that there are more such groups. */
#include "base/cpu.h"
#include "base/memory.h"
#include "train/train_int.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 4096 };

typedef struct PairCount {
    int pair, count;
} PairCount;

static int more_first(const void *a, const void *b)
{
    const PairCount *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : x->pair - y->pair;
}

static void count_pairs(const Net *net, const SampleSet *set, int16_t *both, PairCount *pairs)
{
    const NnueKernels *kernels = nnue_kernels(cpu_features());
    int hidden = net->sizes.hidden, half = hidden / 2;
    for (int j = 0; j < half; j++)
        pairs[j] = (PairCount){.pair = j};
    for (size_t i = 0; i < set->count; i += set->count / LOOKED_AT + 1) {
        train_accumulate(net, kernels, &set->at[i], both);
        for (int j = 0; j < half; j++)
            pairs[j].count += (train_product(both[j], both[half + j]) != 0) +
                              (train_product(both[hidden + j], both[hidden + half + j]) != 0);
    }
}

/* One row of the feature transformer, or its bias. */
static void sort_row(int16_t *row, int half, const PairCount *pairs, int16_t *old)
{
    memcpy(old, row, 2 * (size_t)half * sizeof *row);
    for (int j = 0; j < half; j++) {
        row[j] = old[pairs[j].pair];
        row[half + j] = old[half + pairs[j].pair];
    }
}

static void sort_l1(Net *net, int bucket, const PairCount *pairs, int8_t *old)
{
    int half = net->sizes.hidden / 2;
    int8_t *weights = net->l1_weights + train_l1_at(net, bucket, 0, 0);
    memcpy(old, weights, 2 * (size_t)half * NET_L1);
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < half; j++)
            for (int o = 0; o < NET_L1; o++)
                weights[train_l1_at(net, 0, side * half + j, o)] =
                    old[train_l1_at(net, 0, side * half + pairs[j].pair, o)];
}

Status train_sort(const NetExport *x, Net *net, Message *why)
{
    size_t hidden = (size_t)net->sizes.hidden;
    int half = net->sizes.hidden / 2, rows = net->sizes.king_buckets * FEATURE_COUNT;
    int16_t *both = memory_aligned(NET_ALIGNMENT, 2 * hidden * sizeof *both);
    PairCount *pairs = malloc(hidden / 2 * sizeof *pairs);
    int8_t *old = malloc(hidden * NET_L1);
    bool good = both && pairs && old;
    if (good) {
        count_pairs(net, x->train, both, pairs);
        qsort(pairs, hidden / 2, sizeof *pairs, more_first);
        for (int row = 0; row < rows; row++)
            sort_row(net->ft_weights + (size_t)row * hidden, half, pairs, both);
        sort_row(net->ft_bias, half, pairs, both);
        for (int b = 0; b < net->sizes.buckets; b++)
            sort_l1(net, b, pairs, old);
    }
    memory_aligned_free(both);
    free(pairs);
    free(old);
    return good ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory to sort a net");
}
