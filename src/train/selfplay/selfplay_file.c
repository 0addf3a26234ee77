#include "train/selfplay/selfplay_file.h"

#include "train/data/data_int.h"
#include "train/selfplay/selfplay_label.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void file_name(char *out, size_t size, const SelfplayOptions *o, int number)
{
    snprintf(out, size, "%s/games-%" PRIu64 "-%03d-of-%03d%s", o->dir, o->seed, number, o->threads,
             DATA_SUFFIX);
}

static void count_game(SelfplayFile *f)
{
    f->games++;
    f->positions += (uint64_t)f->game->count;
    atomic_fetch_add(&f->counts->games, 1);
    atomic_fetch_add(&f->counts->positions, (uint64_t)f->game->count);
    atomic_fetch_add(&f->counts->labels, label_count(f->game));
}

static Status count_existing(SelfplayFile *f, const char *path, Message *why)
{
    DataReader *reader;
    Status status = data_reader_open(&reader, path, why);
    if (status != STATUS_OK)
        return status;
    while ((status = data_reader_next(reader, f->game, why)) == STATUS_OK) {
        count_game(f);
        atomic_fetch_add(&f->counts->found_positions, (uint64_t)f->game->count);
        atomic_fetch_add(&f->counts->found_labels, label_count(f->game));
    }
    /* The number of a game follows from those before it. */
    if (data_reader_damaged(reader))
        status = status_fail(
            why, STATUS_INVALID,
            "%s has damaged blocks and cannot be continued: use another directory or seed", path);
    data_reader_close(reader);
    return status == STATUS_END ? STATUS_OK : status;
}

Status selfplay_file_open(SelfplayFile *f, const SelfplayOptions *options, SelfplayCounts *counts,
                          int number, Message *why)
{
    *f = (SelfplayFile){.options = options, .counts = counts, .number = number};
    char path[PATH_MAX];
    file_name(path, sizeof path, options, number);
    f->game = malloc(sizeof *f->game);
    if (!f->game)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    Status status = data_writer_open(&f->writer, path, why);
    return status == STATUS_OK ? count_existing(f, path, why) : status;
}

Status selfplay_file_add(SelfplayFile *f, Message *why)
{
    SelfplayCounts *c = f->counts;
    Status status = data_writer_add(f->writer, f->game, why);
    count_game(f);
    atomic_fetch_add(f->game->result == RESULT_DRAW         ? &c->draws
                     : f->game->result == RESULT_WHITE_WINS ? &c->wins
                                                            : &c->losses,
                     1);
    return status;
}

Status selfplay_file_close(SelfplayFile *f, Message *why)
{
    Status status = f->writer ? data_writer_close(f->writer, why) : STATUS_OK;
    free(f->game);
    return status;
}
