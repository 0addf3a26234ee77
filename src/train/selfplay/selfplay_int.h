/* The data files of a run of self-play or rescoring, one for each thread: what they hold already,
 * and the games that are added. */
#ifndef TRAIN_SELFPLAY_INT_H
#define TRAIN_SELFPLAY_INT_H

#include "search/search.h"
#include "train/data/data.h"
#include "train/selfplay/selfplay.h"

typedef struct SelfplayFile {
    int number;                /* of the files of the run */
    uint64_t games, positions; /* in the file */
    SelfplayCounts *counts;
    DataWriter *writer;
    GameRecord *game; /* the one being made */
} SelfplayFile;

typedef struct SelfplayFiles {
    const char *dir, *kind; /* DIR/KIND-SEED-NNN-of-MMM.cgd */
    uint64_t seed;
    int count;
    SelfplayCounts *counts;
    SelfplayFile *at;
    atomic_bool failed; /* a thread: the others end */
} SelfplayFiles;

/* Opens the files of a run whose first five fields are set, in a directory that may not be there
 * yet. `made_with`: how the games are made, which may not change from run to run. */
Status selfplay_files_open(SelfplayFiles *files, const char *made_with, Message *why);

/* Runs `work` for all files at the same time, each with a pool of its own, and returns the first
 * failure. */
typedef Status SelfplayWork(void *user, SelfplayFile *file, SearchPool *pool, Message *why);
Status selfplay_files_work(SelfplayFiles *files, const Evaluator *evaluator, unsigned hash_mb,
                           SelfplayWork *work, void *user, Message *why);

/* Adds f->game. */
Status selfplay_file_add(SelfplayFile *f, Message *why);

/* Also after a failed open; returns `status`, or what went wrong after it. */
Status selfplay_files_close(SelfplayFiles *files, Status status, Message *why);

/* Self-play on the GPU (selfplay_card.c): see selfplay_run; a thread writes each of the files. */
Status selfplay_card_run(const SelfplayOptions *options, SelfplayFiles *files,
                         const atomic_bool *stop, Message *why);

#endif
