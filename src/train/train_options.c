/* The options of a training run: defaults, checks, and the schedule of the learning rate. */
#include "train/train_gpu.h"
#include "train/train_int.h"

#include <math.h>

enum { MAX_THREADS = 1024, WARM_UP_PART = 50, WARM_UP_MAX = 500 };

TrainOptions train_defaults(void)
{
    return (TrainOptions){.sizes = {.hidden = 256, .buckets = 8, .king_buckets = 1},
                          .epochs = 40,
                          .batch = 16384,
                          .threads = 1,
                          .seed = 1,
                          .rate = 0.001,
                          .rate_end = 0.000003,
                          .wdl = 0.05,
                          .sigmoid_scale = SAMPLE_SIGMOID_SCALE,
                          .decay = 0.01,
                          .checkpoint_ms = 60000};
}

Status train_check(const TrainOptions *o, Message *why)
{
    const NetSizes *n = &o->sizes;
    if (!net_sizes_fit(n->hidden, n->buckets, n->king_buckets, n->layers))
        return status_fail(why, STATUS_INVALID,
                           "unsupported net: %d neurons, %d buckets, %d king buckets, %d layers",
                           n->hidden, n->buckets, n->king_buckets, n->layers);
    if (o->threads < 1 || o->threads > MAX_THREADS || o->epochs < 1 || o->batch < 1)
        return status_fail(why, STATUS_INVALID, "threads, epochs and batch must be at least 1");
    if (!(o->wdl >= 0 && o->wdl <= 1) ||
        !(o->sigmoid_scale >= NET_SCALE_MIN && o->sigmoid_scale <= NET_SCALE_MAX) ||
        !(o->rate > 0) || !(o->rate_end >= 0))
        return status_fail(why, STATUS_INVALID, "rates, wdl and sigmoid scale must be in range");
    if (o->start && train_can_start(n, o->start, why) != STATUS_OK)
        return STATUS_INVALID;
    if (o->gpu && gpu_absent())
        return status_fail(why, STATUS_INVALID, "%s", gpu_absent());
    return STATUS_OK;
}

/* Warms up, then falls along half a cosine. */
double train_rate(const TrainOptions *o, uint64_t steps, uint64_t step)
{
    uint64_t warm = steps / WARM_UP_PART + 1;
    warm = warm > WARM_UP_MAX ? WARM_UP_MAX : warm;
    if (step < warm)
        return o->rate * (double)(step + 1) / (double)(warm + 1);
    double way = (double)(step - warm) / (double)(steps - warm);
    return o->rate_end + (o->rate - o->rate_end) * 0.5 * (1 + cos(way * 3.14159265358979323846));
}
