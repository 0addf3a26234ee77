#include "train/rescore.h"

#include "train/selfplay/selfplay_game.h"
#include "train/selfplay/selfplay_int.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rescore {
    const RescoreOptions *options;
    const atomic_bool *stop;
    char **paths;
    int path_count;
    SelfplayFiles files;
} Rescore;

/* One thread's share: every game whose number, counted over all files, falls to it. */
typedef struct Share {
    const Rescore *rescore;
    SelfplayFile *file;
    SearchPool *pool;
    uint64_t done; /* games in its file at the start */
    uint64_t seen; /* games read so far, of all threads */
} Share;

static Status rescore_game(void *user, const GameRecord *game, Message *why)
{
    Share *s = user;
    (void)game; /* that of the file */
    const RescoreOptions *o = s->rescore->options;
    uint64_t index = s->seen++, threads = (uint64_t)o->threads;
    if (atomic_load(&s->rescore->files.failed))
        return STATUS_STOPPED;
    if (index % threads != (uint64_t)s->file->number || index / threads < s->done)
        return STATUS_OK;
    LabelRules rules = {o->nodes, o->every, o->max_score};
    Random random;
    random_seed(&random, o->seed * 0x9e3779b97f4a7c15u + s->seen);
    search_clear(s->pool);
    return selfplay_label(s->pool, &rules, &random, s->rescore->stop, s->file->game)
               ? selfplay_file_add(s->file, why)
               : STATUS_STOPPED;
}

static Status rescore_share(void *user, SelfplayFile *file, SearchPool *pool, Message *why)
{
    Rescore *r = user;
    Share share = {.rescore = r, .file = file, .pool = pool, .done = file->games};
    Status s = STATUS_OK;
    for (int i = 0; i < r->path_count && s == STATUS_OK; i++) {
        DataFileCounts counts = {0};
        s = data_read_file(r->paths[i], file->game, rescore_game, &share, r->stop, &counts, why);
        if (file->number == 0)
            atomic_fetch_add(&r->files.counts->damaged, counts.damaged);
    }
    return s == STATUS_STOPPED ? STATUS_OK : s;
}

static Status open_files(Rescore *r, Message *why)
{
    const RescoreOptions *o = r->options;
    char from[PATH_MAX], made_with[PATH_MAX + 256];
    if (!r->path_count)
        return status_fail(why, STATUS_MISSING, "%s: no data files", o->from);
    if (!realpath(o->from, from))
        return status_fail(why, STATUS_MISSING, "%s: %s", o->from, strerror(errno));
    snprintf(made_with, sizeof made_with,
             "nodes %" PRIu64 ", disable_lmp, every %" PRIu32
             ", max-score %d, hash %u, evaluation %s, games %s",
             o->nodes, o->every, o->max_score, o->hash_mb, evaluator_name(o->evaluator), from);
    return selfplay_files_open(&r->files, made_with, why);
}

Status rescore_run(const RescoreOptions *options, const atomic_bool *stop, SelfplayCounts *counts,
                   Message *why)
{
    Rescore r = {.options = options,
                 .stop = stop,
                 .files = {.dir = options->dir,
                           .kind = "scored",
                           .seed = options->seed,
                           .count = options->threads,
                           .counts = counts}};
    Status s = data_files(&r.paths, &r.path_count, options->from, DATA_SUFFIX, why);
    if (s == STATUS_OK)
        s = open_files(&r, why);
    if (s == STATUS_OK)
        s = selfplay_files_work(&r.files, options->evaluator, options->hash_mb, rescore_share, &r,
                                why);
    s = selfplay_files_close(&r.files, s, why);
    data_files_free(r.paths, r.path_count);
    return s;
}
