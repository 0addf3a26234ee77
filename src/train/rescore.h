/* Games thought over again: some of their quiet positions get the score of a longer search, and all
 * other plies none. Games are cheap with few nodes a move, and many are needed; what a net learns
 * from them are scores, and those of a few hundred nodes say hardly more than the net knows. A few
 * scores of a longer search in each of many games say it for the same time of thinking. Unlike
 * those that play, these searches leave out no move for coming late in the order: it is the score
 * that is wanted.
 *
 * Games are gone through from their end, so that a search finds in its table what came of the
 * position. Each thread writes its own file; a run that was killed goes on where its files end. */
#ifndef TRAIN_RESCORE_H
#define TRAIN_RESCORE_H

#include "train/selfplay/selfplay.h"

typedef struct RescoreOptions {
    const char *from; /* a directory of games or one file */
    const char *dir;
    const Evaluator *evaluator;
    uint64_t nodes; /* soft limit a position */
    uint32_t every; /* one of so many quiet positions */
    int max_score;  /* what was scored beyond it is decided: nothing to learn */
    int threads;
    uint64_t seed; /* which of them */
    unsigned hash_mb;
} RescoreOptions;

/* Goes through all games, or until *stop is set (games under way are then dropped). `counts` may be
 * read by other threads meanwhile. */
Status rescore_run(const RescoreOptions *options, const atomic_bool *stop, SelfplayCounts *counts,
                   Message *why);

#endif
