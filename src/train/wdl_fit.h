/* What scores are worth in results: fits the curve of search/wdl.h to games. A new net needs a new curve, for
 * its scores mean something else. */
#ifndef TRAIN_WDL_FIT_H
#define TRAIN_WDL_FIT_H

#include "base/text.h"
#include "search/wdl.h"
#include "train/data.h"

#include <stdatomic.h>

/* For who has the score. */
typedef enum Outcome { OUTCOME_LOST, OUTCOME_DRAWN, OUTCOME_WON, OUTCOME_COUNT } Outcome;

typedef struct Chances Chances; /* what came of which score, with how much material */

Chances *chances_new(void); /* NULL when there is no memory */
void chances_free(Chances *c);

/* One position; those with scores beyond what a game turns on are passed over. */
void chances_add(Chances *c, int points, Score s, Outcome outcome);

/* All scored positions of the games of a directory or file; `games` goes up with each. A damaged file fails
 * the whole; *stop ends the work with STATUS_STOPPED. */
Status chances_add_games(Chances *c, const char *dir_or_file, const atomic_bool *stop,
                         _Atomic uint64_t *games, Message *why);

typedef struct ChancesFit {
    uint64_t positions;
    WdlCurve curve;
    double surprise;         /* the mean of -ln(chance that was given to what happened) ... */
    double present_surprise; /* ... and by the curve that the program has */
} ChancesFit;

/* The likeliest curve. STATUS_INVALID when there are too few positions to fit one. */
Status chances_fit(const Chances *c, ChancesFit *out, Message *why);

/* For people, with the lines for search/wdl.c last. */
void chances_report(const ChancesFit *fit, Text *out);

#endif
