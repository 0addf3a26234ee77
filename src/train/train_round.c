/* Rounding the output weights. Each to its nearest step is not the best: the neurons are seldom
 * negative, so that the errors add up. Here the direction of each rounding is chosen so that the
 * rounded net says what the exact one says on positions of the training, with the input layer
 * rounded already; the bias takes the mean. */
#include "base/cpu.h"
#include "eval/nnue/nnue.h"
#include "train/train_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 2048, SAMPLES_MIN = 64, LOOKED_AT = 65536, SWEEPS = 8, FARTHEST = 2 };

/* One bucket's task: a column of squares for each weight, and how far each position is off. */
typedef struct Rounding {
    Net *net;
    const float *exact; /* output weights of the bucket */
    int16_t *rounded;
    int weights, count;
    float *columns;                  /* [weights][SAMPLES] */
    float *off;                      /* [SAMPLES]: rounded minus exact output */
    float means[2 * NET_HIDDEN_MAX]; /* of the columns */
    int16_t nearest[2 * NET_HIDDEN_MAX];
    Sample *samples;
    int16_t *sums;
} Rounding;

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

/* Positions of one bucket, spread over the set; the rest of the room is left empty. */
static void pick(Rounding *r, const SampleSet *set, int bucket)
{
    size_t stride = set->count / LOOKED_AT + 1;
    r->count = 0;
    for (size_t i = 0; i < set->count && r->count < SAMPLES; i += stride)
        if (feature_bucket(r->net->buckets, set->at[i].men) == bucket)
            r->samples[r->count++] = set->at[i];
}

static void fill_columns(Rounding *r)
{
    const NnueKernels *kernels = nnue_kernels(cpu_features());
    int hidden = r->net->hidden;
    memset(r->columns, 0, (size_t)r->weights * SAMPLES * sizeof *r->columns);
    for (int n = 0; n < r->count; n++) {
        NnueDelta delta[2] = {{0}};
        delta[0].adds = delta[1].adds = sample_features(&r->samples[n], delta[0].add, delta[1].add);
        for (int side = 0; side < 2; side++) {
            kernels->update(r->sums, r->net->ft_bias, r->net->ft_weights, hidden, &delta[side]);
            for (int i = 0; i < hidden; i++) {
                int v = r->sums[i] < 0 ? 0 : r->sums[i] > NET_QA ? NET_QA : r->sums[i];
                float a = (float)v / NET_QA;
                r->columns[(size_t)(side * hidden + i) * SAMPLES + (size_t)n] = a * a;
            }
        }
    }
}

/* How far off the net is with the weights rounded to the nearest. */
static void measure(Rounding *r, Pass *pass, const float *weights, int bucket)
{
    memset(r->off, 0, SAMPLES * sizeof *r->off);
    for (int n = 0; n < r->count; n += TRAIN_GROUP) {
        int count = r->count - n < TRAIN_GROUP ? r->count - n : TRAIN_GROUP;
        pass_outputs(pass, weights, r->samples + n, count, r->off + n);
    }
    float bias = (float)r->net->out_bias[bucket] / (float)(NET_QA * r->net->qb);
    for (int n = 0; n < r->count; n++)
        r->off[n] = bias - r->off[n];
    for (int i = 0; i < r->weights; i++) {
        float w = (float)r->rounded[i] / (float)r->net->qb;
        const float *column = r->columns + (size_t)i * SAMPLES;
        for (int n = 0; n < r->count; n++)
            r->off[n] += w * column[n];
    }
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

/* Moves each weight by one step where that brings the net nearer to the exact one. */
static void sweep(Rounding *r)
{
    const float steps = (float)r->net->qb;
    for (int i = 0; i < r->weights; i++) {
        const float *column = r->columns + (size_t)i * SAMPLES;
        float slope = dot(r->off, column, SAMPLES);
        int way = slope > 0 ? -1 : 1, moved = r->rounded[i] + way;
        bool fits = moved >= -NET_WEIGHT_MAX && moved <= NET_WEIGHT_MAX &&
                    fabsf((float)moved - r->exact[i] * steps) < FARTHEST;
        float step = (float)way / steps;
        if (!fits || 2 * step * slope + step * step * dot(column, column, SAMPLES) >= 0)
            continue;
        r->rounded[i] = (int16_t)moved;
        for (int n = 0; n < r->count; n++)
            r->off[n] += step * column[n];
    }
}

/* Gives the bias the mean error that the chosen weights have. */
static void correct_bias(Rounding *r, int bucket, float mean)
{
    double off = mean;
    for (int i = 0; i < r->weights; i++)
        off += (double)(r->rounded[i] - r->nearest[i]) / r->net->qb * r->means[i];
    r->net->out_bias[bucket] -= (int32_t)lround(off * NET_QA * r->net->qb);
}

static void round_bucket(Rounding *r, const Export *x, Pass *pass, int bucket)
{
    pick(r, x->train, bucket);
    if (r->count < SAMPLES_MIN)
        return;
    const float *weights = train_chosen(x->state);
    r->exact = weights + shape_out(&x->state->shape, bucket, 0);
    r->rounded = r->net->out_weights + (size_t)bucket * (size_t)r->weights;
    memcpy(r->nearest, r->rounded, (size_t)r->weights * sizeof *r->nearest);
    fill_columns(r);
    measure(r, pass, weights, bucket);
    float mean = take_mean(r->off, r->count);
    for (int i = 0; i < r->weights; i++)
        r->means[i] = take_mean(r->columns + (size_t)i * SAMPLES, r->count);
    for (int i = 0; i < SWEEPS; i++)
        sweep(r);
    correct_bias(r, bucket, mean);
}

Status train_round(const Export *x, Net *net, Message *why)
{
    Rounding r = {.net = net, .weights = 2 * net->hidden};
    Pass *pass = pass_open(&x->state->shape);
    r.columns = malloc((size_t)r.weights * SAMPLES * sizeof *r.columns);
    r.off = malloc(SAMPLES * sizeof *r.off);
    r.samples = malloc(SAMPLES * sizeof *r.samples);
    r.sums = aligned_alloc(NET_ALIGNMENT, (size_t)net->hidden * sizeof *r.sums);
    bool good = pass && r.columns && r.off && r.samples && r.sums;
    for (int bucket = 0; good && bucket < net->buckets; bucket++)
        round_bucket(&r, x, pass, bucket);
    pass_close(pass);
    free(r.columns);
    free(r.off);
    free(r.samples);
    free(r.sums);
    return good ? STATUS_OK : status_fail(why, STATUS_MEMORY, "no memory to round the net");
}
