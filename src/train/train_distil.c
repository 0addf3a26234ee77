/* Labels for a net that is to imitate another. */
#include "base/cpu.h"
#include "base/job.h"
#include "base/memory.h"
#include "eval/nnue/nnue.h"
#include "train/train_int.h"

enum { CHUNK = 16384 };

typedef struct Distil {
    const Net *net;
    SampleSet *set;
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

static Status label_chunk(void *user, int index, Message *why)
{
    const Distil *d = user;
    size_t from = (size_t)index * CHUNK, left = d->set->count - from;
    size_t count = left < CHUNK ? left : CHUNK;
    Sample *at = d->set->at + from;
    if (!train_values(d->net, at, count))
        return status_fail(why, STATUS_MEMORY, "not enough memory to label positions");
    for (size_t i = 0; i < count; i++)
        at[i].score = at[i].value;
    return STATUS_OK;
}

Status train_distil(SampleSet *set, const Net *net, int threads, Message *why)
{
    Distil d = {.net = net, .set = set};
    int chunks = (int)((set->count + CHUNK - 1) / CHUNK);
    return job_parts(label_chunk, &d, chunks, threads, NULL, why);
}
