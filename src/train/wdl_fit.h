/* Fits the WDL model of search/wdl.h to games. A new net needs a new one, for its scores mean
 * something else. */
#ifndef TRAIN_WDL_FIT_H
#define TRAIN_WDL_FIT_H

#include "base/text.h"
#include "search/wdl.h"
#include "train/data/data.h"

#include <stdatomic.h>

/* For who has the score. */
typedef enum Outcome { OUTCOME_LOST, OUTCOME_DRAWN, OUTCOME_WON, OUTCOME_COUNT } Outcome;

typedef struct WdlCounts WdlCounts; /* results by score and material */

WdlCounts *wdl_counts_new(void); /* NULL when there is no memory */
void wdl_counts_free(WdlCounts *c);

/* One position; those with scores beyond what a game turns on are passed over. */
void wdl_counts_add(WdlCounts *c, int points, Score s, Outcome outcome);

/* All scored positions of the games of a directory or file; `games` goes up with each. *stop ends
 * the work with STATUS_STOPPED. */
Status wdl_counts_add_games(WdlCounts *c, const char *dir_or_file, const atomic_bool *stop,
                            _Atomic uint64_t *games, Message *why);

typedef struct WdlFit {
    uint64_t positions;
    WdlCurve curve;
    double log_loss;         /* the mean of -ln(probability of the result) ... */
    double present_log_loss; /* ... and with the curve the program has */
} WdlFit;

/* The curve of maximum likelihood. STATUS_INVALID when there are too few positions to fit one. */
Status wdl_fit(const WdlCounts *c, WdlFit *out, Message *why);

/* For people, with the lines for search/wdl.c last. */
void wdl_fit_report(const WdlFit *fit, Text *out);

#endif
