/* One data file of a self-play run: what it holds already, and the games that are added. */
#ifndef TRAIN_SELFPLAY_FILE_H
#define TRAIN_SELFPLAY_FILE_H

#include "train/data/data.h"
#include "train/selfplay/selfplay.h"

typedef struct SelfplayFile {
    const SelfplayOptions *options;
    SelfplayCounts *counts;
    int number;         /* of the files of the run */
    uint64_t games;     /* in the file */
    uint64_t positions; /* likewise */
    DataWriter *writer;
    GameRecord *game; /* the one being made */
} SelfplayFile;

Status selfplay_file_open(SelfplayFile *f, const SelfplayOptions *options, SelfplayCounts *counts,
                          int number, Message *why);

/* Adds f->game. */
Status selfplay_file_add(SelfplayFile *f, Message *why);

/* Also after a failed open. */
Status selfplay_file_close(SelfplayFile *f, Message *why);

#endif
