#include "train/rescore.h"

#include "base/thread.h"
#include "train/data/data_int.h"
#include "train/data/provenance.h"
#include "train/selfplay/selfplay_label.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One thread's share: every game whose number, counted over all files, falls to it. */
typedef struct RescoreThread {
    const RescoreOptions *options;
    char **paths;
    int path_count;
    const atomic_bool *stop;
    atomic_bool *failed;
    RescoreCounts *counts;
    int number;
    uint64_t done; /* games already in its file */
    uint64_t seen; /* games read so far, of all threads */
    DataWriter *writer;
    SearchPool *pool;
    GameRecord *game;
    Status status;
    Message why;
} RescoreThread;

/* -- One game -- */

static bool rescore_game(RescoreThread *t)
{
    const RescoreOptions *o = t->options;
    LabelRules rules = {o->nodes, o->every, o->max_score};
    Random random;
    random_seed(&random, o->seed * 0x9e3779b97f4a7c15u + t->seen);
    search_clear(t->pool);
    return label_game(t->pool, &rules, &random, t->stop, t->game);
}

/* -- One thread -- */

static Status keep_game(RescoreThread *t)
{
    atomic_fetch_add(&t->counts->games, 1);
    atomic_fetch_add(&t->counts->scored, label_count(t->game));
    return data_writer_add(t->writer, t->game, &t->why);
}

static bool ends(const RescoreThread *t)
{
    return atomic_load(t->stop) || atomic_load(t->failed);
}

static Status work_file(RescoreThread *t, const char *path)
{
    DataReader *reader;
    Status s = data_reader_open(&reader, path, &t->why);
    if (s != STATUS_OK)
        return s;
    while (!ends(t) && (s = data_reader_next(reader, t->game, &t->why)) == STATUS_OK) {
        uint64_t index = t->seen++, threads = (uint64_t)t->options->threads;
        if (index % threads != (uint64_t)t->number || index / threads < t->done)
            continue;
        if (rescore_game(t) && (s = keep_game(t)) != STATUS_OK)
            break;
    }
    if (t->number == 0)
        atomic_fetch_add(&t->counts->damaged, data_reader_damaged(reader));
    data_reader_close(reader);
    return s == STATUS_END ? STATUS_OK : s;
}

static void *thread_main(void *arg)
{
    RescoreThread *t = arg;
    for (int i = 0; i < t->path_count && t->status == STATUS_OK && !ends(t); i++)
        t->status = work_file(t, t->paths[i]);
    if (t->status != STATUS_OK)
        atomic_store(t->failed, true);
    return NULL;
}

/* -- Beginning and end -- */

static Status check_provenance(const RescoreOptions *o, Message *why)
{
    char name[64], from[PATH_MAX], text[PATH_MAX + 256];
    if (!realpath(o->from, from))
        return status_fail(why, STATUS_MISSING, "%s: %s", o->from, strerror(errno));
    snprintf(name, sizeof name, "scored-%" PRIu64 "-of-%03d.txt", o->seed, o->threads);
    snprintf(text, sizeof text,
             "nodes %" PRIu64 ", disable_lmp, every %" PRIu32
             ", max-score %d, hash %u, evaluation %s, games %s",
             o->nodes, o->every, o->max_score, o->hash_mb, evaluator_name(o->evaluator), from);
    return provenance_check(o->dir, name, text, why);
}

static Status count_existing(RescoreThread *t, const char *path)
{
    DataReader *reader;
    Status s = data_reader_open(&reader, path, &t->why);
    if (s != STATUS_OK)
        return s;
    while ((s = data_reader_next(reader, t->game, &t->why)) == STATUS_OK) {
        uint64_t scores = label_count(t->game);
        t->done++;
        atomic_fetch_add(&t->counts->games, 1);
        atomic_fetch_add(&t->counts->scored, scores);
        atomic_fetch_add(&t->counts->found, scores);
    }
    /* The number of a game follows from those before it. */
    if (data_reader_damaged(reader))
        s = status_fail(
            &t->why, STATUS_INVALID,
            "%s has damaged blocks and cannot be continued: use another directory or seed", path);
    data_reader_close(reader);
    return s == STATUS_END ? STATUS_OK : s;
}

static Status thread_open(RescoreThread *t)
{
    const RescoreOptions *o = t->options;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/scored-%" PRIu64 "-%03d-of-%03d%s", o->dir, o->seed, t->number,
             o->threads, DATA_SUFFIX);
    t->game = malloc(sizeof *t->game);
    if (!t->game)
        return status_fail(&t->why, STATUS_MEMORY, "not enough memory for a game");
    Status s = data_writer_open(&t->writer, path, &t->why);
    if (s == STATUS_OK)
        s = count_existing(t, path);
    if (s == STATUS_OK)
        s = search_create(&t->pool, o->evaluator, o->hash_mb, &t->why);
    return s;
}

static Status thread_close(RescoreThread *t)
{
    Status s = t->writer ? data_writer_close(t->writer, &t->why) : STATUS_OK;
    search_destroy(t->pool);
    free(t->game);
    return s;
}

static Status open_and_run(RescoreThread *threads, int count, Message *why)
{
    Status s = STATUS_OK;
    for (int i = 0; i < count && s == STATUS_OK; i++)
        if ((s = thread_open(&threads[i])) != STATUS_OK && why)
            *why = threads[i].why;
    if (s == STATUS_OK)
        thread_run_each(thread_main, threads, sizeof *threads, count);
    for (int i = 0; i < count; i++) {
        Status mine = threads[i].status, closed = thread_close(&threads[i]);
        if (s == STATUS_OK && (mine != STATUS_OK || closed != STATUS_OK)) {
            s = mine != STATUS_OK ? mine : closed;
            if (why)
                *why = threads[i].why;
        }
    }
    return s;
}

Status rescore_run(const RescoreOptions *options, const atomic_bool *stop, RescoreCounts *counts,
                   Message *why)
{
    char **paths;
    int path_count;
    Status s = data_files(&paths, &path_count, options->from, why);
    if (s != STATUS_OK)
        return s;
    RescoreThread *threads = calloc((size_t)options->threads, sizeof *threads);
    atomic_bool failed = false;
    for (int i = 0; threads && i < options->threads; i++) {
        RescoreThread *t = &threads[i];
        t->options = options;
        t->paths = paths;
        t->path_count = path_count;
        t->stop = stop;
        t->failed = &failed;
        t->counts = counts;
        t->number = i;
    }
    if (!threads)
        s = status_fail(why, STATUS_MEMORY, "not enough memory for %d threads", options->threads);
    else if (!path_count)
        s = status_fail(why, STATUS_MISSING, "%s: no data files", options->from);
    else if (mkdir(options->dir, 0777) != 0 && errno != EEXIST)
        s = status_fail(why, STATUS_IO, "%s: %s", options->dir, strerror(errno));
    else if ((s = check_provenance(options, why)) == STATUS_OK)
        s = open_and_run(threads, options->threads, why);
    free(threads);
    data_files_free(paths, path_count);
    return s;
}
