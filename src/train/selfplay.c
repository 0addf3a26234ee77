#include "train/selfplay.h"

#include "base/thread.h"
#include "train/data/data_int.h"
#include "train/data/provenance.h"
#include "train/selfplay_game.h"
#include "train/selfplay_label.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct SelfplayThread {
    const SelfplayOptions *options;
    const atomic_bool *stop;
    atomic_bool *failed;
    SelfplayCounts *counts;
    int number;
    uint64_t next_game; /* of this thread: the games already in its file */
    uint64_t positions; /* in its file */
    DataWriter *writer;
    SearchPool *pool;
    GameRecord *game;
    Status status;
    Message why;
} SelfplayThread;

static void file_name(char *out, size_t size, const SelfplayOptions *o, int thread)
{
    snprintf(out, size, "%s/games-%" PRIu64 "-%03d-of-%03d%s", o->dir, o->seed, thread, o->threads,
             DATA_SUFFIX);
}

/* How games are played and labelled; their number may change from run to run. */
static Status check_provenance(const SelfplayOptions *o, Message *why)
{
    char name[64], text[256];
    snprintf(name, sizeof name, "games-%" PRIu64 "-of-%03d.txt", o->seed, o->threads);
    int used = snprintf(text, sizeof text, "nodes %" PRIu64 ", chess960 %d, hash %u, evaluation %s",
                        o->nodes, o->chess960_percent, o->hash_mb, evaluator_name(o->evaluator));
    if (o->label_nodes)
        snprintf(text + used, sizeof text - (size_t)used,
                 ", label-nodes %" PRIu64 ", disable_lmp, max-score %d", o->label_nodes,
                 o->label_max_score);
    return provenance_check(o->dir, name, text, why);
}

/* What a file already holds. */
static Status count_existing(SelfplayThread *t, const char *path)
{
    DataReader *reader;
    Status status = data_reader_open(&reader, path, &t->why);
    if (status != STATUS_OK)
        return status;
    while ((status = data_reader_next(reader, t->game, &t->why)) == STATUS_OK) {
        t->next_game++;
        t->positions += (uint64_t)t->game->count;
        atomic_fetch_add(&t->counts->games, 1);
        atomic_fetch_add(&t->counts->positions, (uint64_t)t->game->count);
        atomic_fetch_add(&t->counts->found_positions, (uint64_t)t->game->count);
        atomic_fetch_add(&t->counts->labels, label_count(t->game));
        atomic_fetch_add(&t->counts->found_labels, label_count(t->game));
    }
    /* The number of a game follows from those before it. */
    if (data_reader_damaged(reader))
        status = status_fail(
            &t->why, STATUS_INVALID,
            "%s has damaged blocks and cannot be continued: use another directory or seed", path);
    data_reader_close(reader);
    return status == STATUS_END ? STATUS_OK : status;
}

static Status thread_open(SelfplayThread *t)
{
    char path[PATH_MAX];
    file_name(path, sizeof path, t->options, t->number);
    t->game = malloc(sizeof *t->game);
    if (!t->game)
        return status_fail(&t->why, STATUS_MEMORY, "not enough memory for a game");
    Status status = data_writer_open(&t->writer, path, &t->why);
    if (status == STATUS_OK)
        status = count_existing(t, path);
    if (status == STATUS_OK)
        status = search_create(&t->pool, t->options->evaluator, t->options->hash_mb, &t->why);
    return status;
}

static Status thread_close(SelfplayThread *t)
{
    Status status = t->writer ? data_writer_close(t->writer, &t->why) : STATUS_OK;
    search_destroy(t->pool);
    free(t->game);
    return status;
}

static uint64_t game_number(const SelfplayThread *t)
{
    return t->next_game * (uint64_t)t->options->threads + (uint64_t)t->number;
}

/* Each thread has its own share of the work, so that the result does not depend on
 * who is faster. */
static bool limits_reached(const SelfplayThread *t)
{
    const SelfplayOptions *o = t->options;
    return (o->games && game_number(t) >= o->games) ||
           (o->positions && t->positions * (uint64_t)o->threads >= o->positions);
}

static void count_game(SelfplayThread *t)
{
    SelfplayCounts *c = t->counts;
    atomic_fetch_add(&c->games, 1);
    atomic_fetch_add(&c->positions, (uint64_t)t->game->count);
    atomic_fetch_add(&c->labels, label_count(t->game));
    atomic_fetch_add(t->game->result == RESULT_DRAW         ? &c->draws
                     : t->game->result == RESULT_WHITE_WINS ? &c->wins
                                                            : &c->losses,
                     1);
    t->next_game++;
    t->positions += (uint64_t)t->game->count;
}

static void *thread_main(void *arg)
{
    SelfplayThread *t = arg;
    const SelfplayOptions *o = t->options;
    SelfplayRules rules = {o->nodes, o->chess960_percent};
    LabelRules labels = {o->label_nodes, 1, o->label_max_score};
    while (t->status == STATUS_OK && !atomic_load(t->stop) && !atomic_load(t->failed) &&
           !limits_reached(t)) {
        Random random;
        random_seed(&random, o->seed * 0x9e3779b97f4a7c15u + game_number(t));
        if (!selfplay_game(t->pool, &rules, &random, t->stop, t->game) ||
            (o->label_nodes && !label_game(t->pool, &labels, &random, t->stop, t->game)))
            break;
        t->status = data_writer_add(t->writer, t->game, &t->why);
        count_game(t);
    }
    if (t->status != STATUS_OK)
        atomic_store(t->failed, true);
    return NULL;
}

Status selfplay_run(const SelfplayOptions *options, const atomic_bool *stop, SelfplayCounts *counts,
                    Message *why)
{
    if (mkdir(options->dir, 0777) != 0 && errno != EEXIST)
        return status_fail(why, STATUS_IO, "%s: %s", options->dir, strerror(errno));
    Status status = check_provenance(options, why);
    if (status != STATUS_OK)
        return status;
    SelfplayThread *threads = calloc((size_t)options->threads, sizeof *threads);
    if (!threads)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d threads",
                           options->threads);
    atomic_bool failed = false;
    for (int i = 0; i < options->threads; i++) {
        threads[i] = (SelfplayThread){
            .options = options, .stop = stop, .failed = &failed, .counts = counts, .number = i};
        if (status == STATUS_OK && (status = thread_open(&threads[i])) != STATUS_OK && why)
            *why = threads[i].why;
    }
    if (status == STATUS_OK)
        thread_run_each(thread_main, threads, sizeof *threads, options->threads);
    for (int i = 0; i < options->threads; i++) {
        Status mine = threads[i].status;
        Status closed = thread_close(&threads[i]);
        if (status == STATUS_OK && (mine != STATUS_OK || closed != STATUS_OK)) {
            status = mine != STATUS_OK ? mine : closed;
            if (why)
                *why = threads[i].why;
        }
    }
    free(threads);
    return status;
}
