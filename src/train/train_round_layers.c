/* Rounding the first layer of nets with layers, one neuron after the other, and the last bias.
 * Products are cut down to whole bytes, which costs each half a step: the bias of a neuron gets
 * that back. */
#include "base/cpu.h"
#include "eval/nnue/nnue.h"
#include "train/train_int.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = ROUNDING_SAMPLES };

/* One in the bytes of products. */
#define PRODUCT_ONE ((double)NET_QA * NET_QA / 512)

static void fill_columns(Rounding *r)
{
    const NnueKernels *kernels = nnue_kernels(cpu_features());
    int hidden = r->net->sizes.hidden, half = hidden / 2;
    for (int n = 0; n < r->count; n++) {
        train_accumulate(r->net, kernels, &r->samples[n], r->accumulators);
        for (int j = 0; j < hidden; j++) {
            const int16_t *a = r->accumulators + j / half * hidden + j % half;
            r->columns[(size_t)j * SAMPLES + (size_t)n] =
                (float)(train_product(a[0], a[half]) / PRODUCT_ONE);
        }
    }
}

static void round_neuron(Rounding *r, const NetExport *x, int bucket, int neuron, const float *z)
{
    const NetShape *shape = &x->state->shape;
    const float *weights = train_chosen(x->state);
    int half = r->weights / 2, at = bucket * NET_L1 + neuron;
    double one = PRODUCT_ONE * r->net->qb;
    for (int j = 0; j < r->weights; j++) {
        RoundedWeight *w = &r->of[j];
        w->exact = weights[shape_l1(shape, bucket, neuron, j / half) + (size_t)(j % half)];
        w->nearest = w->chosen = r->net->l1_weights[train_l1_at(r->net, bucket, j, neuron)];
    }
    for (int n = 0; n < r->count; n++)
        r->off[n] = (float)(r->net->l1_bias[at] / one) - z[n * NET_L1 + neuron];
    r->net->l1_bias[at] -= (int32_t)lround(rounding_choose(r) * one);
    for (int j = 0; j < r->weights; j++)
        r->net->l1_weights[train_l1_at(r->net, bucket, j, neuron)] = (int8_t)r->of[j].chosen;
}

/* The last bias takes the mean of what is left. */
static void correct_output(Rounding *r, const NetExport *x, int bucket)
{
    const NnueKernels *kernels = nnue_kernels(cpu_features());
    const double one = (double)NET_Q_LAYERS * NET_Q_ACTIVATION;
    double sum = 0;
    pass_outputs(r->pass, train_chosen(x->state), r->samples, (size_t)r->count, r->off, NULL);
    for (int n = 0; n < r->count; n++) {
        const int16_t *us = r->accumulators, *them = us + r->net->sizes.hidden;
        train_accumulate(r->net, kernels, &r->samples[n], r->accumulators);
        NnueLayers layers = nnue_layers(r->net, bucket);
        sum += kernels->layers(us, them, &layers, r->net->sizes.hidden) / one - r->off[n];
    }
    r->net->out_bias[bucket] -= (int32_t)lround(sum / r->count * one);
}

Status train_round_layers(const NetExport *x, Net *net, Message *why)
{
    Rounding r;
    float *z = malloc(SAMPLES * NET_L1 * sizeof *z);
    bool good = rounding_open(&r, &x->state->shape, net, net->sizes.hidden) && z;
    for (int bucket = 0; good && bucket < net->sizes.buckets; bucket++) {
        if (!rounding_pick(&r, x->train, bucket))
            continue;
        pass_outputs(r.pass, train_chosen(x->state), r.samples, (size_t)r.count, NULL, z);
        fill_columns(&r);
        rounding_centre(&r);
        for (int neuron = 0; neuron < NET_L1; neuron++)
            round_neuron(&r, x, bucket, neuron, z);
        correct_output(&r, x, bucket);
    }
    rounding_close(&r);
    free(z);
    return good ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory to round the net");
}
