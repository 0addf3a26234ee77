/* Training data: whole games in blocks. A file is a header and blocks that are complete in themselves
 * (length, checksum, packed games), appended and synced one by one: a kill loses at most the block being
 * written, and a reader stops at the first block that is not whole; games wait for their block in a second
 * file, FILE.tail, from which the next writer takes them. Numbers are little-endian. */
#ifndef TRAIN_DATA_H
#define TRAIN_DATA_H

#include "base/status.h"
#include "chess/position.h"
#include "chess/result.h"
#include "eval/score.h"

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

/* Appends to `path`, which is created when missing; the tail of a block cut off by a kill is removed first. */
Status data_writer_open(DataWriter **w, const char *path, Message *why);
Status data_writer_add(DataWriter *w, const GameRecord *game, Message *why);
/* Writes what is buffered as a block and syncs it. */
Status data_writer_flush(DataWriter *w, Message *why);
Status data_writer_close(DataWriter *w, Message *why); /* flushes first */

/* -- Reading. Every game is replayed and checked: a game with an illegal move is refused. -- */
typedef struct DataReader DataReader;

Status data_reader_open(DataReader **r, const char *path, Message *why);
/* STATUS_OK with a game, STATUS_END after the last whole block, STATUS_INVALID with a message for a damaged block. */
Status data_reader_next(DataReader *r, GameRecord *game, Message *why);
void data_reader_close(DataReader *r);

/* The data files of a directory (*.cgd) or one file, sorted by name; free with data_files_free. */
Status data_files(char ***paths, int *count, const char *dir_or_file, Message *why);
void data_files_free(char **paths, int count);

#endif
