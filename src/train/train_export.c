/* From floating point to a net file: rounding, how much it costs, and the scale of the values. */
#include "train/train_int.h"

#include <math.h>
#include <stdlib.h>

enum { VALIDATION_MAX = 20000 };

/* Up to VALIDATION_MAX positions, spread over the held-out ones, or over all when none were held
 * out. */
static Status validation_samples(const NetExport *x, SampleSet *out, Message *why)
{
    const SampleSet *from = x->held_out->count ? x->held_out : x->train;
    size_t count = from->count < VALIDATION_MAX ? from->count : VALIDATION_MAX;
    Status s = sample_set_reserve(out, count, why);
    for (size_t i = 0; i < count && s == STATUS_OK; i++)
        out->at[out->count++] = from->at[i * from->count / count];
    return s;
}

/* -- Values, in centipawns at the scale of training -- */

static Status float_values(const NetExport *x, const SampleSet *set, float *out, Message *why)
{
    Pass *pass = pass_open(&x->state->shape);
    if (!pass)
        return status_fail(why, STATUS_MEMORY, "not enough memory to evaluate the net");
    pass_outputs(pass, train_chosen(x->state), set->at, set->count, out, NULL);
    for (size_t i = 0; i < set->count; i++)
        out[i] *= (float)x->options->sigmoid_scale;
    pass_close(pass);
    return STATUS_OK;
}

static Status mean_of_evaluator(const Evaluator *e, const SampleSet *set, double *mean,
                                Message *why)
{
    EvalContext *c = eval_open(e);
    if (!c)
        return status_fail(why, STATUS_MEMORY, "not enough memory for an evaluator");
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        Position p;
        if (sample_position(&set->at[i], &p, NULL) != STATUS_OK)
            continue;
        eval_reset(c, &p);
        sum += abs(eval_score(c, &p));
        count++;
    }
    eval_close(c);
    *mean = count ? sum / (double)count : 0;
    return STATUS_OK;
}

/* -- The file -- */

static double mean_size(const SampleSet *set)
{
    double sum = 0;
    for (size_t i = 0; i < set->count; i++)
        sum += abs(set->at[i].value);
    return set->count ? sum / (double)set->count : 0;
}

/* Makes the mean size of the values that of the evaluator to match. */
static Status match_scale(const NetExport *x, Net *net, const SampleSet *set, Message *why)
{
    if (!x->options->match)
        return STATUS_OK;
    double wanted, has = mean_size(set);
    Status s = mean_of_evaluator(x->options->match, set, &wanted, why);
    if (s != STATUS_OK || wanted <= 0 || has <= 0)
        return s;
    double scale = x->options->sigmoid_scale * wanted / has;
    net->scale = (int)lround(scale < NET_SCALE_MIN   ? NET_SCALE_MIN
                             : scale > NET_SCALE_MAX ? NET_SCALE_MAX
                                                     : scale);
    return STATUS_OK;
}

/* Measures before the scale is set, so that both sides have that of training. */
static Status measure_rounding(const NetExport *x, Net *net, TrainResult *result, Message *why)
{
    SampleSet set = {0};
    Status s = validation_samples(x, &set, why);
    float *exact = malloc((set.count + 1) * sizeof *exact);
    if (s == STATUS_OK && (!exact || !train_values(net, set.at, set.count)))
        s = status_fail(why, STATUS_MEMORY, "not enough memory to evaluate the net");
    if (s == STATUS_OK)
        s = float_values(x, &set, exact, why);
    if (s == STATUS_OK) {
        double sum = 0;
        for (size_t i = 0; i < set.count; i++)
            sum += fabsf(exact[i] - (float)set.at[i].value);
        result->quantised_cp = set.count ? sum / (double)set.count : 0;
        s = match_scale(x, net, &set, why);
    }
    free(exact);
    sample_set_free(&set);
    return s;
}

static Status write_history(const NetExport *x, Net *net, const TrainResult *result, Message *why)
{
    const TrainOptions *o = x->options;
    Text t = text_new();
    text_addf(&t, "hidden %d, buckets %d, king buckets %d, %s, inputs 768 mirrored\n",
              o->sizes.hidden, o->sizes.buckets, o->sizes.king_buckets,
              o->sizes.layers ? "pairwise, layers 16 and 32" : "SCReLU");
    text_addf(&t, "parents: %s\n", o->parents ? o->parents : "not stated");
    text_addf(&t, "started from: %s\n", o->start ? o->start->id : "random weights");
    text_addf(&t, "positions: %zu, held out: %zu\n", x->train->count, x->held_out->count);
    text_addf(&t, "command: %s\n", o->command ? o->command : "none");
    text_addf(&t, "batch %d, rate %g to %g, decay %g, wdl %g, sigmoid scale %g, seed %llu, ",
              o->batch, o->rate, o->rate_end, o->decay, o->wdl, o->sigmoid_scale,
              (unsigned long long)o->seed);
    if (o->gpu)
        text_add_str(&t, "GPU\n");
    else
        text_addf(&t, "threads %d\n", o->threads);
    text_add(&t, x->state->log.at, x->state->log.len);
    if (x->state->counts.best_epoch)
        text_addf(&t, "kept: epoch %d\n", (int)x->state->counts.best_epoch);
    text_addf(&t, "mean rounding error: %.2f cp; steps of 1/%d; scale %d", result->quantised_cp,
              net->qb, net->scale);
    if (o->match)
        text_addf(&t, " to match %s", evaluator_name(o->match));
    text_add_char(&t, '\n');
    Status s = t.failed ? status_fail(why, STATUS_MEMORY, "not enough memory for the net's history")
                        : net_set_history(net, (Span){t.at, t.len}, why);
    text_free(&t);
    return s;
}

Status train_export(const NetExport *x, TrainResult *result, Message *why)
{
    const TrainState *state = x->state;
    Net *net;
    Status s = net_new(&net, &x->options->sizes, why);
    if (s != STATUS_OK)
        return s;
    model_to_net(&state->shape, train_chosen(state), net);
    net->scale = (int)lround(x->options->sigmoid_scale);
    if (x->options->start)
        net->wdl = x->options->start->wdl; /* nearer than any other, until it is fitted anew */
    s = net->sizes.layers ? train_round_layers(x, net, why) : train_round(x, net, why);
    if (s == STATUS_OK && net->sizes.layers)
        s = train_sort(x, net, why);
    if (s == STATUS_OK)
        s = measure_rounding(x, net, result, why);
    if (s == STATUS_OK)
        s = write_history(x, net, result, why);
    if (s == STATUS_OK)
        s = net_write(net, x->options->out, why);
    result->scale = net->scale;
    memcpy(result->id, net->id, sizeof result->id);
    net_free(net);
    return s;
}
