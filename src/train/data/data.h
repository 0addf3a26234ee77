/* Training data: whole games in blocks. A file is a header and blocks that are complete in
 * themselves (length, checksum, packed games), appended and synced one by one: a kill loses at most
 * the block being written, and a reader skips a block that is damaged; games wait for their block
 * in a second file, FILE.tail, from which the next writer takes them. Numbers are little-endian. */
#ifndef TRAIN_DATA_H
#define TRAIN_DATA_H

#include "base/status.h"
#include "chess/position.h"
#include "chess/result.h"
#include "eval/score.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>

enum { DATA_MAX_PLIES = 1024 };

/* One played move and what the mover's search thought of it (mover's view; internal score). */
typedef struct DataPly {
    Move move;
    int16_t score;
} DataPly;

typedef struct GameRecord {
    Position start;
    Result result;
    int count;
    DataPly plies[DATA_MAX_PLIES];
} GameRecord;

/* -- Writing. One writer, one thread. -- */
typedef struct DataWriter DataWriter;

/* Appends to `path`, which is created when missing and locked: STATUS_REFUSED when another writer
 * has it. The rest of a block that a kill cut short is removed first. */
Status data_writer_open(DataWriter **w, const char *path, Message *why);
Status data_writer_add(DataWriter *w, const GameRecord *game, Message *why);
/* Writes what is buffered as a block and syncs it. After a failure the file is as before, the games
 * are in its tail, and the next writer takes them from there. */
Status data_writer_flush(DataWriter *w, Message *why);
Status data_writer_close(DataWriter *w, Message *why); /* flushes first */
uint64_t data_writer_size(const DataWriter *w);        /* bytes of the blocks written so far */

/* -- Reading. Every game is replayed and checked: a game with an illegal move is refused. Damaged
 * blocks are skipped and counted. Games of a tail come last. -- */

/* Hands all games of a file to `each`, through `game`, until it returns something else than
 * STATUS_OK; STATUS_END ends the reading in order. *stop (NULL: never) ends it with STATUS_STOPPED.
 * `counts` (may be NULL) gets what the file was like, unless it could not be opened. */
typedef Status DataEach(void *user, const GameRecord *game, Message *why);
typedef struct DataFileCounts {
    uint64_t damaged; /* blocks */
    uint64_t size;    /* bytes */
    uint64_t cut;     /* after the end: bytes of a block cut short */
} DataFileCounts;

Status data_read_file(const char *path, GameRecord *game, DataEach *each, void *user,
                      const atomic_bool *stop, DataFileCounts *counts, Message *why);

/* The files with this suffix of a directory and those in it, or one file, sorted by name; free with
 * data_files_free. */
#define DATA_SUFFIX ".cgd"
Status data_files(char ***paths, int *count, const char *dir_or_file, const char *suffix,
                  Message *why);
void data_files_free(char **paths, int count);

/* Hands the path of each data file to `each`, until it fails; STATUS_MISSING when there is none. */
typedef Status DataFile(void *user, const char *path, Message *why);
Status data_each_file(const char *dir_or_file, DataFile *each, void *user, Message *why);

/* A path made as by printf; STATUS_INVALID when it is too long. */
Status data_path(char out[PATH_MAX], Message *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A directory that is there may stay. */
Status data_make_dir(const char *path, Message *why);

#endif
