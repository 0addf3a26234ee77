/* Games of the engine against itself, as training data. Every game is made from the seed and its
 * own number alone, and each thread writes its own file: the same seed, thread count and program
 * give the same bytes, and a run that was killed goes on where its files end. */
#ifndef TRAIN_SELFPLAY_H
#define TRAIN_SELFPLAY_H

#include "base/status.h"
#include "eval/eval.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct SelfplayOptions {
    const char *dir;
    const Evaluator *evaluator;
    uint64_t games;       /* in the directory when done; 0: no limit */
    uint64_t positions;   /* likewise */
    uint64_t nodes;       /* soft limit a move */
    uint64_t label_nodes; /* soft limit a label; 0: the scores of the play itself are kept */
    int label_max_score;  /* see LabelRules */
    int threads;
    uint64_t seed;
    int chess960_percent;
    int random_percent; /* of the moves of every second game: positions that search meets, and good
                           play does not */
    unsigned hash_mb;   /* for each game */
    bool gpu;           /* standard chess */
} SelfplayOptions;

typedef struct SelfplayCounts {
    _Atomic uint64_t games, positions;     /* in the files, those found at the start included */
    _Atomic uint64_t found_positions;      /* there when the run began */
    _Atomic uint64_t labels, found_labels; /* likewise: positions with a score */
    _Atomic uint64_t nodes;                /* of this run, where they are counted */
    _Atomic uint64_t wins, draws, losses;  /* of this run, for White */
    _Atomic uint64_t damaged;              /* blocks of rescored games, skipped */
} SelfplayCounts;

/* Plays until the limits are reached or *stop is set (games under way are then dropped). `counts`
 * may be read by other threads meanwhile. */
Status selfplay_run(const SelfplayOptions *options, const atomic_bool *stop, SelfplayCounts *counts,
                    Message *why);

#endif
