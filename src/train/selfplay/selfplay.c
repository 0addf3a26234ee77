#include "train/selfplay/selfplay.h"

#include "train/selfplay/selfplay_game.h"
#include "train/selfplay/selfplay_int.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct Playing {
    const SelfplayOptions *options;
    const atomic_bool *stop;
    SelfplayFiles files;
} Playing;

/* How games are played and labelled; their number may change from run to run. */
static void describe(const SelfplayOptions *o, char *text, size_t size)
{
    int used = snprintf(text, size, "nodes %" PRIu64 ", chess960 %d, hash %u, evaluation %s",
                        o->nodes, o->chess960_percent, o->hash_mb, evaluator_name(o->evaluator));
    if (o->label_nodes)
        used += snprintf(text + used, size - (size_t)used,
                         ", label-nodes %" PRIu64 ", disable_lmp, max-score %d", o->label_nodes,
                         o->label_max_score);
    if (o->gpu) /* its search differs */
        used =
            snprintf(text, size,
                     "gpu, nodes %" PRIu64 ", label-nodes %" PRIu64 ", evaluation %s, max-score %d",
                     o->nodes, o->label_nodes, evaluator_name(o->evaluator), o->label_max_score);
    if (o->random_percent)
        snprintf(text + used, size - (size_t)used, ", random moves %d", o->random_percent);
}

/* Each thread has its own share of the work, so that the result does not depend on
 * who is faster. */
static uint64_t game_number(const Playing *p, const SelfplayFile *f)
{
    return f->games * (uint64_t)p->files.count + (uint64_t)f->number;
}

static bool is_over(const Playing *p, const SelfplayFile *f)
{
    const SelfplayOptions *o = p->options;
    return atomic_load(p->stop) || atomic_load(&p->files.failed) ||
           (o->games && game_number(p, f) >= o->games) ||
           (o->positions && f->positions * (uint64_t)p->files.count >= o->positions);
}

static Status play_games(void *user, SelfplayFile *f, SearchPool *pool, Message *why)
{
    const Playing *p = user;
    const SelfplayOptions *o = p->options;
    LabelRules labels = {o->label_nodes, 1, o->label_max_score};
    Status s = STATUS_OK;
    while (s == STATUS_OK && !is_over(p, f)) {
        Random random;
        random_seed(&random, o->seed * 0x9e3779b97f4a7c15u + game_number(p, f));
        if (!selfplay_game(pool, o, &random, p->stop, f->game) ||
            (o->label_nodes && !selfplay_label(pool, &labels, &random, p->stop, f->game)))
            break;
        s = selfplay_file_add(f, why);
    }
    return s;
}

Status selfplay_run(const SelfplayOptions *options, const atomic_bool *stop, SelfplayCounts *counts,
                    Message *why)
{
    Playing p = {.options = options,
                 .stop = stop,
                 .files = {.dir = options->dir,
                           .kind = "games",
                           .seed = options->seed,
                           .count = options->threads,
                           .counts = counts}};
    char made_with[256];
    describe(options, made_with, sizeof made_with);
    Status s = selfplay_files_open(&p.files, made_with, why);
    if (s == STATUS_OK)
        s = options->gpu ? selfplay_card_run(options, &p.files, stop, why)
                         : selfplay_files_work(&p.files, options->evaluator, options->hash_mb,
                                               play_games, &p, why);
    return selfplay_files_close(&p.files, s, why);
}
