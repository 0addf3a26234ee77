#include "train/selfplay/selfplay.h"

#include "base/thread.h"
#include "train/data/provenance.h"
#include "train/selfplay/selfplay_card.h"
#include "train/selfplay/selfplay_file.h"
#include "train/selfplay/selfplay_game.h"
#include "train/selfplay/selfplay_label.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct SelfplayThread {
    const SelfplayOptions *options;
    const atomic_bool *stop;
    atomic_bool *failed;
    SelfplayFile file;
    SearchPool *pool;
    Status status;
    Message why;
} SelfplayThread;

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
    if (o->gpu) /* the searches that label play */
        snprintf(text, sizeof text, "gpu, nodes %" PRIu64 ", evaluation %s, max-score %d", o->nodes,
                 evaluator_name(o->evaluator), o->label_max_score);
    return provenance_check(o->dir, name, text, why);
}

static Status thread_open(SelfplayThread *t, SelfplayCounts *counts, int number)
{
    Status status = selfplay_file_open(&t->file, t->options, counts, number, &t->why);
    if (status == STATUS_OK)
        status = search_create(&t->pool, t->options->evaluator, t->options->hash_mb, &t->why);
    return status;
}

static Status thread_close(SelfplayThread *t)
{
    search_destroy(t->pool);
    return selfplay_file_close(&t->file, &t->why);
}

static uint64_t game_number(const SelfplayThread *t)
{
    return t->file.games * (uint64_t)t->options->threads + (uint64_t)t->file.number;
}

/* Each thread has its own share of the work, so that the result does not depend on
 * who is faster. */
static bool limits_reached(const SelfplayThread *t)
{
    const SelfplayOptions *o = t->options;
    return (o->games && game_number(t) >= o->games) ||
           (o->positions && t->file.positions * (uint64_t)o->threads >= o->positions);
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
        GameRecord *game = t->file.game;
        if (!selfplay_game(t->pool, &rules, &random, t->stop, game) ||
            (o->label_nodes && !label_game(t->pool, &labels, &random, t->stop, game)))
            break;
        t->status = selfplay_file_add(&t->file, &t->why);
    }
    if (t->status != STATUS_OK)
        atomic_store(t->failed, true);
    return NULL;
}

static Status play_on_processor(const SelfplayOptions *options, const atomic_bool *stop,
                                SelfplayCounts *counts, Message *why)
{
    SelfplayThread *threads = calloc((size_t)options->threads, sizeof *threads);
    if (!threads)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d threads",
                           options->threads);
    Status status = STATUS_OK;
    atomic_bool failed = false;
    for (int i = 0; i < options->threads; i++) {
        threads[i] = (SelfplayThread){.options = options, .stop = stop, .failed = &failed};
        if (status == STATUS_OK && (status = thread_open(&threads[i], counts, i)) != STATUS_OK &&
            why)
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

Status selfplay_run(const SelfplayOptions *options, const atomic_bool *stop, SelfplayCounts *counts,
                    Message *why)
{
    if (mkdir(options->dir, 0777) != 0 && errno != EEXIST)
        return status_fail(why, STATUS_IO, "%s: %s", options->dir, strerror(errno));
    Status status = check_provenance(options, why);
    if (status != STATUS_OK)
        return status;
    return options->gpu ? selfplay_card_run(options, stop, counts, why)
                        : play_on_processor(options, stop, counts, why);
}
