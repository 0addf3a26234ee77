#include "train/selfplay/selfplay_int.h"

#include "base/job.h"
#include "train/data/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Positions of the game that have a score. */
static uint64_t label_count(const GameRecord *game)
{
    uint64_t sum = 0;
    for (int i = 0; i < game->count; i++)
        sum += game->plies[i].score != SCORE_NONE;
    return sum;
}

static void count_game(SelfplayFile *f)
{
    f->games++;
    f->positions += (uint64_t)f->game->count;
    atomic_fetch_add(&f->counts->games, 1);
    atomic_fetch_add(&f->counts->positions, (uint64_t)f->game->count);
    atomic_fetch_add(&f->counts->labels, label_count(f->game));
}

static Status count_found(void *user, const GameRecord *game, Message *why)
{
    (void)why;
    SelfplayFile *f = user;
    count_game(f);
    atomic_fetch_add(&f->counts->found_positions, (uint64_t)game->count);
    atomic_fetch_add(&f->counts->found_labels, label_count(game));
    return STATUS_OK;
}

static Status open_file(SelfplayFile *f, const char *path, Message *why)
{
    f->game = malloc(sizeof *f->game);
    if (!f->game)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    DataFileCounts file = {0};
    Status s = data_writer_open(&f->writer, path, why);
    if (s == STATUS_OK)
        s = data_read_file(path, f->game, count_found, f, NULL, &file, why);
    /* The number of a game follows from those before it. */
    if (s == STATUS_OK && file.damaged)
        s = status_fail(
            why, STATUS_INVALID,
            "%s has damaged blocks and cannot be continued: use another directory or seed", path);
    return s;
}

Status selfplay_files_open(SelfplayFiles *files, const char *made_with, Message *why)
{
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "%s-%" PRIu64 "-of-%03d.txt", files->kind, files->seed,
             files->count);
    Status s = data_make_dir(files->dir, why);
    if (s == STATUS_OK)
        s = provenance_check(files->dir, name, made_with, why);
    if (s != STATUS_OK)
        return s;
    files->at = calloc((size_t)files->count, sizeof *files->at);
    if (!files->at)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d threads", files->count);
    for (int i = 0; i < files->count && s == STATUS_OK; i++) {
        files->at[i] = (SelfplayFile){.counts = files->counts, .number = i};
        s = data_path(path, why, "%s/%s-%" PRIu64 "-%03d-of-%03d" DATA_SUFFIX, files->dir,
                      files->kind, files->seed, i, files->count);
        if (s == STATUS_OK)
            s = open_file(&files->at[i], path, why);
    }
    return s;
}

/* -- Threads -- */

typedef struct FilesWork {
    SelfplayFiles *files;
    const Evaluator *evaluator;
    unsigned hash_mb;
    SelfplayWork *work;
    void *user;
} FilesWork;

static Status work_on_file(void *user, int index, Message *why)
{
    FilesWork *w = user;
    SearchPool *pool = NULL;
    Status s = search_create(&pool, w->evaluator, w->hash_mb, why);
    if (s == STATUS_OK)
        s = w->work(w->user, &w->files->at[index], pool, why);
    search_destroy(pool);
    if (s != STATUS_OK)
        atomic_store(&w->files->failed, true);
    return s;
}

Status selfplay_files_work(SelfplayFiles *files, const Evaluator *evaluator, unsigned hash_mb,
                           SelfplayWork *work, void *user, Message *why)
{
    FilesWork w = {files, evaluator, hash_mb, work, user};
    return job_parts(work_on_file, &w, files->count, files->count, NULL, why);
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

Status selfplay_files_close(SelfplayFiles *files, Status status, Message *why)
{
    for (int i = 0; files->at && i < files->count; i++) {
        SelfplayFile *f = &files->at[i];
        Status closed = STATUS_OK;
        if (f->writer)
            closed = data_writer_close(f->writer, status == STATUS_OK ? why : NULL);
        status = status == STATUS_OK ? closed : status;
        free(f->game);
    }
    free(files->at);
    return status;
}
