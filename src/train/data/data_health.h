/* Is this data fit to learn from? Counts that show a broken loop early: results, scores, colours,
 * games that occur twice, and whether scores and results agree. */
#ifndef TRAIN_DATA_HEALTH_H
#define TRAIN_DATA_HEALTH_H

#include "base/text.h"
#include "train/data/data.h"

#include <stdatomic.h>

enum {
    HEALTH_STEP = 100,   /* centipawns a column of the histogram */
    HEALTH_COLUMNS = 21, /* -1000 and less ... 1000 and more */
    HEALTH_BANDS = 4     /* |score| from 50, 150, 300, 600 on: how often does its owner win? */
};

typedef struct DataHealth {
    uint64_t files, damaged_blocks, bytes;
    uint64_t cut; /* bytes behind the last whole block: a kill, or a copy that was cut short */
    uint64_t games, duplicates, chess960, other_starts;
    uint64_t results[RESULT_DRAW + 1]; /* by Result */
    uint64_t positions, shortest, longest;
    uint64_t sampled,
        sampled_again; /* positions, one of 64 by its key: all, and those seen before */
    uint64_t white_to_move, unscored, decisive;
    uint64_t histogram[HEALTH_COLUMNS]; /* mover's view */
    double white_score_sum;          /* White's view, of scored positions that are not decisive */
    uint64_t bands[HEALTH_BANDS][3]; /* for who is ahead: lost, drawn, won */
} DataHealth;

typedef struct HealthStudy HealthStudy;

HealthStudy *health_new(void); /* NULL when there is no memory */
void health_free(HealthStudy *h);
const DataHealth *health_of(const HealthStudy *h);

/* Adds the games of a file. Damaged blocks are skipped and counted; STATUS_INVALID when it is no
 * file of games. `bytes_read` (may be NULL) goes up by the file's size; *stop ends the work with
 * STATUS_STOPPED. */
Status health_add_file(HealthStudy *h, const char *path, const atomic_bool *stop,
                       _Atomic uint64_t *bytes_read, Message *why);

/* True when the game was not seen before; it is remembered. For leaving duplicates out. */
Status health_is_new(HealthStudy *h, const GameRecord *game, bool *is_new, Message *why);

/* The report for people; warnings last, for what looks wrong. */
void health_report(const DataHealth *h, Text *out);

#endif
