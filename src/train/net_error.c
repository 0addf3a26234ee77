#include "train/net_error.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE_STEP = 20 };

typedef struct Reference {
    double expected;
    int group;
} Reference;

struct NetError {
    int evaluations;
    double reference_scale;
    Reference *references;
    Score *scores; /* those of position i begin at i * evaluations */
    size_t count, reference_capacity, score_capacity; /* in positions */
    size_t group_count[NET_ERROR_GROUPS];
};

Status net_error_new(NetError **e, int evaluations, double reference_scale, Message *why)
{
    *e = calloc(1, sizeof **e);
    if (!*e)
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    (*e)->evaluations = evaluations;
    (*e)->reference_scale = reference_scale;
    return STATUS_OK;
}

void net_error_free(NetError *e)
{
    if (!e)
        return;
    free(e->references);
    free(e->scores);
    free(e);
}

/* -- Positions -- */

static double expected_score(double score, double scale)
{
    return 1 / (1 + exp(-score / scale));
}

static int group_of(int pieces)
{
    int group = (pieces - 2) / NET_ERROR_GROUP_PIECES;
    return group < NET_ERROR_GROUPS ? group : NET_ERROR_GROUPS - 1;
}

Status net_error_add(NetError *e, int pieces, double reference, const Score *scores, Message *why)
{
    size_t each = (size_t)e->evaluations;
    if (!memory_grow(&e->references, sizeof *e->references, e->count, &e->reference_capacity) ||
        !memory_grow(&e->scores, each * sizeof *e->scores, e->count, &e->score_capacity))
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    e->references[e->count] = (Reference){.expected = expected_score(reference, e->reference_scale),
                                          .group = group_of(pieces)};
    memcpy(&e->scores[e->count * each], scores, each * sizeof *scores);
    e->group_count[group_of(pieces)]++;
    e->count++;
    return STATUS_OK;
}

size_t net_error_count(const NetError *e, int group)
{
    return group == NET_ERROR_ALL ? e->count : e->group_count[group];
}

static double expected_by(const NetError *e, size_t position, int evaluation, double scale)
{
    size_t at = position * (size_t)e->evaluations + (size_t)evaluation;
    return expected_score(e->scores[at], scale);
}

/* -- The scale of least error -- */

static double mean_square(const NetError *e, int evaluation, int group, double scale)
{
    double sum = 0;
    for (size_t i = 0; i < e->count; i++)
        if (group == NET_ERROR_ALL || e->references[i].group == group) {
            double d = expected_by(e, i, evaluation, scale) - e->references[i].expected;
            sum += d * d;
        }
    return sum / (double)net_error_count(e, group);
}

/* Scales far apart come first, because the error may have more than one minimum. */
static double coarse_scale(const NetError *e, int evaluation, int group)
{
    double best = NET_ERROR_SCALE_MIN, least = INFINITY;
    for (int scale = NET_ERROR_SCALE_MIN; scale <= NET_ERROR_SCALE_MAX; scale += SCALE_STEP) {
        double error = mean_square(e, evaluation, group, scale);
        if (error < least) {
            least = error;
            best = scale;
        }
    }
    return best;
}

/* Golden section search between the neighbours of the best coarse scale. */
NetErrorFit net_error_fit(const NetError *e, int evaluation, int group)
{
    const double ratio = (sqrt(5) - 1) / 2, precision = 0.01;
    double middle = coarse_scale(e, evaluation, group);
    double low = fmax(middle - SCALE_STEP, NET_ERROR_SCALE_MIN);
    double high = fmin(middle + SCALE_STEP, NET_ERROR_SCALE_MAX);
    double left = high - ratio * (high - low), right = low + ratio * (high - low);
    double at_left = mean_square(e, evaluation, group, left);
    double at_right = mean_square(e, evaluation, group, right);
    while (high - low > precision)
        if (at_left < at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - ratio * (high - low);
            at_left = mean_square(e, evaluation, group, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + ratio * (high - low);
            at_right = mean_square(e, evaluation, group, right);
        }
    double scale = (low + high) / 2;
    return (NetErrorFit){.scale = scale, .error = mean_square(e, evaluation, group, scale)};
}

/* -- The difference of two evaluations -- */

NetErrorChange net_error_change(const NetError *e, int evaluation, double scale)
{
    double dd = 0, dg = 0, gg = 0;
    for (size_t i = 0; i < e->count; i++) {
        double b = expected_by(e, i, 0, scale);
        double d = expected_by(e, i, evaluation, scale) - b;
        double g = e->references[i].expected - b;
        dd += d * d;
        dg += d * g;
        gg += g * g;
    }
    return (NetErrorChange){.rms = sqrt(dd / (double)e->count),
                            .slope = gg > 0 ? dg / gg : NAN,
                            .sound = dd > 0 ? dg / dd : NAN};
}
