/* New data files from old ones: merged, shuffled, split. The new files appear whole or
 * not at all. */
#ifndef TRAIN_DATA_TOOLS_H
#define TRAIN_DATA_TOOLS_H

#include "train/data/data.h"

#include <stdatomic.h>

typedef struct DataToolOptions {
    char *const *inputs; /* files or directories */
    int input_count;
    const char *output; /* must not be there yet; split: what the names begin with */
    bool unique;        /* leave out games that came before */
    uint64_t seed;      /* shuffle */
    int parts;          /* split */
    uint64_t size;      /* pack: bytes of each file at most, from DATA_PACK_LEAST on */
} DataToolOptions;

typedef struct DataToolCounts {
    _Atomic uint64_t games, positions, duplicates; /* read; of these left out */
    _Atomic uint64_t damaged;                      /* blocks skipped */
} DataToolCounts;

/* All end with STATUS_STOPPED when *stop is set. Damaged blocks of the inputs are skipped and
 * counted. */

/* One file with all games in order. */
Status data_merge(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                  Message *why);

/* One file with all games in an order made from the seed. Needs memory for a part of them only. */
Status data_shuffle(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                    Message *why);

/* OUTPUT-1.cgd ... OUTPUT-N.cgd, the games dealt out in turn. */
Status data_split(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                  Message *why);

enum { DATA_PACK_LEAST = 1 << 20 };

/* Files of a given size in the directory OUTPUT, for transport: packed-001.cgd ... and the
 * provenance of their games (packed.txt). */
Status data_pack(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                 Message *why);

#endif
