/* A small opening book of our own: the lines of a table of openings, weighed by own analysis. */
#ifndef STUDY_WEIGH_H
#define STUDY_WEIGH_H

#include "base/status.h"
#include "base/text.h"
#include "eval/eval.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct WeighOptions {
    uint64_t nodes; /* for each position */
    int threads;
    const Evaluator *evaluator;
} WeighOptions;

typedef struct WeighCounts {
    _Atomic uint64_t done, total; /* positions searched; for showing progress from another thread */
    int lines, moves, kept;       /* of the table, different ones in it, and those in the book */
} WeighCounts;

/* Adds the book to `out` in Polyglot's format. The table is one of notation/opening.h. A move is
 * kept when the search finds it about as good as the best it knows; it weighs more the more lines
 * of the table go through it and the better it is. The same table, nodes and evaluator give the
 * same bytes, however many threads. `stop` ends it with STATUS_STOPPED. */
Status weigh_openings(Span table, const WeighOptions *o, const atomic_bool *stop,
                      WeighCounts *counts, Text *out, Message *why);

#endif
