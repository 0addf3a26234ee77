/* Labels for a net that is to imitate another. */
#include "base/cpu.h"
#include "base/memory.h"
#include "base/thread.h"
#include "eval/nnue/nnue.h"
#include "train/train_int.h"

#include <stdatomic.h>

enum { CHUNK = 16384 };

typedef struct Distil {
    const Net *net;
    SampleSet *set;
    atomic_size_t next;
    atomic_bool failed;
} Distil;

bool train_values(const Net *net, Sample *at, size_t count)
{
    const NnueKernels *kernels = nnue_kernels(cpu_features());
    int hidden = net->sizes.hidden;
    int16_t *both = memory_aligned(NET_ALIGNMENT, 2 * (size_t)hidden * sizeof *both);
    for (size_t i = 0; both && i < count; i++) {
        train_accumulate(net, kernels, &at[i], both);
        at[i].value = (int16_t)nnue_output(net, kernels, both, both + hidden, at[i].piece_count);
    }
    memory_aligned_free(both);
    return both != NULL;
}

static void *label(void *arg)
{
    Distil *d = arg;
    for (size_t from; (from = atomic_fetch_add(&d->next, CHUNK)) < d->set->count;) {
        size_t end = from + CHUNK < d->set->count ? from + CHUNK : d->set->count;
        if (!train_values(d->net, d->set->at + from, end - from))
            atomic_store(&d->failed, true);
        for (size_t i = from; i < end; i++)
            d->set->at[i].score = d->set->at[i].value;
    }
    return NULL;
}

Status train_distil(SampleSet *set, const Net *net, int threads, Message *why)
{
    Distil d = {.net = net, .set = set};
    thread_run_each(label, &d, 0, threads);
    return atomic_load(&d.failed)
               ? status_fail(why, STATUS_MEMORY, "not enough memory to label positions")
               : STATUS_OK;
}
