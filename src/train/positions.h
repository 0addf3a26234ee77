/* Files of single positions (*.cps), for teachers outside of the program: a header of 32 bytes,
 * then the bytes of the samples, little-endian. A teacher reads them, sets the scores and writes
 * them again. */
#ifndef TRAIN_POSITIONS_H
#define TRAIN_POSITIONS_H

#include "eval/nnue/net.h"
#include "train/sample.h"

#define POSITIONS_SUFFIX ".cps"

typedef struct PositionsOptions {
    const char *out; /* a directory that is there; files positions-0001.cps ... are written to it */
    const Net *net;  /* whose values the positions get; NULL: none */
    int variants;    /* 0: the positions themselves; otherwise how many are tried around each */
    uint64_t seed;
    int threads;
} PositionsOptions;

typedef struct PositionsCounts {
    _Atomic uint64_t read, written;
} PositionsCounts;

/* Writes the positions of the set. A variant is one or two random legal moves away from its
 * position and kept when the side to move is neither in check nor able to win material by a capture
 * or to promote. */
Status positions_export(const SampleSet *set, const PositionsOptions *options,
                        const atomic_bool *stop, PositionsCounts *counts, Message *why);

/* Appends the positions of a file, or of all such files of a directory, to the set. */
Status positions_load(SampleSet *set, const char *dir_or_file, Message *why);

#endif
