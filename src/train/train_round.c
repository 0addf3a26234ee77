/* Rounding the weights that eight bits hold. Each to its nearest step is not the best: the neurons
 * are seldom negative, so that the errors add up. Here the direction of each rounding is chosen so
 * that the rounded net says what the exact one says on positions of the training, with the input
 * layer rounded already; the bias takes the mean. */
#include "base/cpu.h"
#include "base/memory.h"
#include "train/train_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = ROUNDING_SAMPLES, SAMPLES_MIN = 64, LOOKED_AT = 65536, SWEEPS = 8, FARTHEST = 2 };

static float dot(const float *a, const float *b, int count)
{
    float lanes[TRAIN_LANES] = {0}, sum = 0;
    for (int i = 0; i < count; i += TRAIN_LANES)
        for (int k = 0; k < TRAIN_LANES; k++)
            lanes[k] += a[i + k] * b[i + k];
    for (int k = 0; k < TRAIN_LANES; k++)
        sum += lanes[k];
    return sum;
}

void train_accumulate(const Net *net, const NnueKernels *kernels, const Sample *s,
                      int16_t *accumulators)
{
    NnueDelta delta[2] = {{0}};
    int hidden = net->sizes.hidden;
    delta[0].adds = delta[1].adds =
        sample_features(s, net->sizes.king_buckets, delta[0].add, delta[1].add);
    for (int side = 0; side < 2; side++)
        kernels->update(accumulators + side * hidden, net->ft_bias, net->ft_weights, hidden,
                        &delta[side]);
}

/* -- Any sums of weights -- */

bool rounding_open(Rounding *r, const NetShape *shape, Net *net, int weights)
{
    *r = (Rounding){.net = net, .weights = weights, .pass = pass_open(shape)};
    size_t count = (size_t)weights;
    r->of = malloc(count * sizeof *r->of);
    r->columns = malloc(count * SAMPLES * sizeof *r->columns);
    r->accumulators =
        memory_aligned(NET_ALIGNMENT, 2 * (size_t)net->sizes.hidden * sizeof *r->accumulators);
    return r->pass && r->of && r->columns && r->accumulators;
}

void rounding_close(Rounding *r)
{
    pass_close(r->pass);
    free(r->of);
    free(r->columns);
    memory_aligned_free(r->accumulators);
}

/* Positions are spread over the set; the rest of the room is left empty. */
bool rounding_pick(Rounding *r, const SampleSet *set, int bucket)
{
    size_t stride = set->count / LOOKED_AT + 1;
    r->count = 0;
    for (size_t i = 0; i < set->count && r->count < SAMPLES; i += stride)
        if (feature_bucket(r->net->sizes.buckets, set->at[i].piece_count) == bucket)
            r->samples[r->count++] = set->at[i];
    memset(r->columns, 0, (size_t)r->weights * SAMPLES * sizeof *r->columns);
    return r->count >= SAMPLES_MIN;
}

/* The bias can take any mean: only what differs between positions is for the weights. */
static float take_mean(float *column, int count)
{
    double sum = 0;
    for (int n = 0; n < count; n++)
        sum += column[n];
    float mean = (float)(sum / count);
    for (int n = 0; n < count; n++)
        column[n] -= mean;
    return mean;
}

void rounding_centre(Rounding *r)
{
    for (int i = 0; i < r->weights; i++)
        r->of[i].mean = take_mean(r->columns + (size_t)i * SAMPLES, r->count);
}

static void add_column(Rounding *r, int i, float factor)
{
    const float *column = r->columns + (size_t)i * SAMPLES;
    for (int n = 0; n < r->count; n++)
        r->off[n] += factor * column[n];
}

/* Moves each weight by one step where that brings the sums nearer to the exact ones. */
static void sweep(Rounding *r)
{
    const float steps = (float)r->net->qb;
    for (int i = 0; i < r->weights; i++) {
        const float *column = r->columns + (size_t)i * SAMPLES;
        float slope = dot(r->off, column, SAMPLES);
        int way = slope > 0 ? -1 : 1, moved = r->of[i].chosen + way;
        bool fits = moved >= -NET_WEIGHT_MAX && moved <= NET_WEIGHT_MAX &&
                    fabsf((float)moved - r->of[i].exact * steps) < FARTHEST;
        float step = (float)way / steps;
        if (!fits || 2 * step * slope + step * step * dot(column, column, SAMPLES) >= 0)
            continue;
        r->of[i].chosen = (int16_t)moved;
        add_column(r, i, step);
    }
}

double rounding_choose(Rounding *r)
{
    const float steps = (float)r->net->qb;
    memset(r->off + r->count, 0, (size_t)(SAMPLES - r->count) * sizeof *r->off);
    double mean = 0;
    for (int i = 0; i < r->weights; i++) {
        add_column(r, i, (float)r->of[i].nearest / steps);
        mean += (double)r->of[i].nearest / steps * r->of[i].mean;
    }
    mean += take_mean(r->off, r->count);
    for (int i = 0; i < SWEEPS; i++)
        sweep(r);
    for (int i = 0; i < r->weights; i++)
        mean += (double)(r->of[i].chosen - r->of[i].nearest) / steps * r->of[i].mean;
    return mean;
}

/* -- The output weights -- */

static void fill_columns(Rounding *r)
{
    const NnueKernels *kernels = nnue_kernels(cpu_features());
    for (int n = 0; n < r->count; n++) {
        train_accumulate(r->net, kernels, &r->samples[n], r->accumulators);
        for (int i = 0; i < r->weights; i++) {
            int a = r->accumulators[i], v = a < 0 ? 0 : a > NET_QA ? NET_QA : a;
            r->columns[(size_t)i * SAMPLES + (size_t)n] = (float)(v * v) / (NET_QA * NET_QA);
        }
    }
}

static void round_bucket(Rounding *r, const NetExport *x, int bucket)
{
    if (!rounding_pick(r, x->train, bucket))
        return;
    const float *weights = train_chosen(x->state);
    const float *exact = weights + shape_out(&x->state->shape, bucket, 0);
    int16_t *out = r->net->out_weights + (size_t)bucket * (size_t)r->weights;
    double one = (double)NET_QA * r->net->qb;
    for (int i = 0; i < r->weights; i++)
        r->of[i] = (RoundedWeight){.exact = exact[i], .nearest = out[i], .chosen = out[i]};
    fill_columns(r);
    pass_outputs(r->pass, weights, r->samples, (size_t)r->count, r->off, NULL);
    for (int n = 0; n < r->count; n++)
        r->off[n] = (float)(r->net->out_bias[bucket] / one) - r->off[n];
    rounding_centre(r);
    r->net->out_bias[bucket] -= (int32_t)lround(rounding_choose(r) * one);
    for (int i = 0; i < r->weights; i++)
        out[i] = r->of[i].chosen;
}

Status train_round(const NetExport *x, Net *net, Message *why)
{
    Rounding r;
    bool good = rounding_open(&r, &x->state->shape, net, 2 * net->sizes.hidden);
    for (int bucket = 0; good && bucket < net->sizes.buckets; bucket++)
        round_bucket(&r, x, bucket);
    rounding_close(&r);
    return good ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory to round the net");
}
