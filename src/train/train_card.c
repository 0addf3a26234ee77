/* Training on the GPU: sends the initial state and checks that the GPU computes the same gradients
 * as the CPU. */
#include "train/train_int.h"

#include <math.h>

enum { COMPARED = 512 };

static GpuPlan plan_of(const Adam *adam, const TrainOptions *o, const SampleSet *train,
                       const SampleSet *held_out)
{
    GpuPlan plan = {.shape = adam->shape,
                    .features = FEATURE_COUNT,
                    .tile = TRAIN_TILE,
                    .weights = adam->weights,
                    .first = adam->first,
                    .second = adam->second,
                    .train = train->at,
                    .held_out = held_out->at,
                    .train_count = train->count,
                    .held_out_count = held_out->count,
                    .wdl = (float)o->wdl,
                    .score_scale = (float)o->sigmoid_scale,
                    .clip = TRAIN_CLIP,
                    .out_clip = adam->out_clip,
                    .layer_clip = TRAIN_LAYER_CLIP};
    for (int king = 0; king < SQUARE_COUNT; king++)
        plan.king_bucket[king] =
            (uint8_t)feature_king_bucket(adam->shape.king_buckets, WHITE, (Square)king);
    return plan;
}

/* How far two gradients are apart, relative to the longer of them. */
static double distance(const float *a, const float *b, size_t count)
{
    double apart = 0, first = 0, second = 0;
    for (size_t i = 0; i < count; i++) {
        apart += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        first += (double)a[i] * a[i];
        second += (double)b[i] * b[i];
    }
    double longer = first > second ? first : second;
    return longer > 0 ? sqrt(apart / longer) : 0;
}

/* Each part of the net by itself: the few numbers of the layers would be lost in the many of the
 * rest. */
static Status compare_parts(const NetShape *shape, const float *card, const float *own,
                            Message *why)
{
    const size_t ends[] = {shape->bias, shape->out, shape->out_end, shape->shared};
    size_t from = 0;
    for (size_t part = 0; part < sizeof ends / sizeof *ends; from = ends[part++]) {
        double d = distance(card + from, own + from, ends[part] - from);
        if (!(d < 1e-3))
            return status_fail(why, STATUS_REFUSED,
                               "GPU: gradients differ from the CPU's by "
                               "%.2g of their size (part %zu)",
                               d, part + 1);
    }
    return STATUS_OK;
}

static Status compare(Gpu *gpu, const Adam *adam, const TrainOptions *o, const SampleSet *train,
                      Message *why)
{
    const NetShape *shape = &adam->shape;
    size_t count = train->count < COMPARED ? train->count : COMPARED;
    Work work = {
        .samples = train->at, .end = count, .wdl = o->wdl, .sigmoid_scale = o->sigmoid_scale};
    Pass *pass = pass_open(shape);
    float *own = shape_block(shape), *card = shape_block(shape);
    Status s = STATUS_OK;
    if (!pass || !own || !card) {
        s = status_fail(why, STATUS_MEMORY, "not enough memory to compare gradients");
    } else {
        double card_loss, loss = pass_run(pass, adam->weights, own, &work);
        const char *fault = gpu_trainer.gradient(gpu, count, card, &card_loss);
        if (fault)
            s = status_fail(why, STATUS_REFUSED, "GPU: %s", fault);
        else if (!(fabs(card_loss - loss) <= 1e-4 * loss + 1e-6))
            s = status_fail(why, STATUS_REFUSED, "GPU: loss %.7f, on the CPU %.7f",
                            card_loss / (double)count, loss / (double)count);
        else
            s = compare_parts(shape, card, own, why);
    }
    pass_close(pass);
    memory_aligned_free(own);
    memory_aligned_free(card);
    return s;
}

Status card_open(Gpu **gpu, const Adam *adam, const TrainOptions *o, const SampleSet *train,
                 const SampleSet *held_out, Message *why)
{
    GpuPlan plan = plan_of(adam, o, train, held_out);
    const char *fault = gpu_trainer.open(gpu, &plan);
    return fault ? status_fail(why, STATUS_REFUSED, "GPU: %s", fault)
                 : compare(*gpu, adam, o, train, why);
}
