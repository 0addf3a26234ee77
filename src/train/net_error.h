/* How far the static scores of evaluations are from reference scores of the same positions. Scores
 * of different evaluations have different scales, so expected scores are compared: a score x at
 * scale s stands for 1 / (1 + exp(-x / s)). */
#ifndef TRAIN_NET_ERROR_H
#define TRAIN_NET_ERROR_H

#include "base/status.h"
#include "eval/score.h"

#include <stddef.h>

enum {
    NET_ERROR_SCALE_MIN = 40, /* fitted scales are inside these limits */
    NET_ERROR_SCALE_MAX = 600,
    NET_ERROR_GROUP_PIECES = 8, /* group 0 is 2-9 pieces, group 1 is 10-17, and so on */
    NET_ERROR_GROUPS = 4,
    NET_ERROR_ALL = NET_ERROR_GROUPS /* in place of a group: the positions of all groups */
};

typedef struct NetError NetError;

/* For `evaluations` evaluations, which are numbered from 0. The reference scores are in centipawns
 * and have the scale `reference_scale`. */
Status net_error_new(NetError **e, int evaluations, double reference_scale, Message *why);
void net_error_free(NetError *e); /* NULL is allowed */

/* One position: its number of pieces, its reference score and the score of each evaluation, all
 * for the side to move. */
Status net_error_add(NetError *e, int pieces, double reference, const Score *scores, Message *why);

size_t net_error_count(const NetError *e, int group);

typedef struct NetErrorFit {
    double scale; /* the mean squared error is least with it */
    double error; /* this mean squared error, of expected scores */
} NetErrorFit;

/* The fit of an evaluation to the positions of a group; there must be one. */
NetErrorFit net_error_fit(const NetError *e, int evaluation, int group);

/* With b the expected score by evaluation 0, d the difference of another evaluation's to b, and g
 * the difference of the reference's to b: */
typedef struct NetErrorChange {
    double rms;   /* root of the mean d * d */
    double slope; /* sum of d * g / sum of g * g; NAN where no g differs from 0 */
    double sound; /* sum of d * g / sum of d * d; NAN where no d differs from 0 */
} NetErrorChange;

/* Both evaluations at the same scale, which is the fitted one of evaluation 0. */
NetErrorChange net_error_change(const NetError *e, int evaluation, double scale);

#endif
