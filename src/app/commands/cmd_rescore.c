/* castellan rescore: new scores for training games. */
#include "app/command.h"
#include "app/progress.h"
#include "base/clock.h"
#include "train/rescore.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct RescoreCommand {
    RescoreOptions options;
    SelfplayCounts counts;
    const char *evaluator;
} RescoreCommand;

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    RescoreCommand *c = options;
    Status s = evaluator_find(&c->options.evaluator, c->evaluator, why);
    if (s != STATUS_OK)
        return s;
    int64_t began_ms = clock_now_ms();
    Progress progress = {.unit = "positions", .done = &c->counts.labels};
    progress_begin(&progress);
    s = rescore_run(&c->options, &progress.job.stop, &c->counts, why);
    s = progress_end(&progress, s, why);
    evaluator_close(c->options.evaluator);
    double seconds = (double)(clock_now_ms() - began_ms) / 1000.0;
    uint64_t scored = atomic_load(&c->counts.labels);
    uint64_t new_scores = scored - atomic_load(&c->counts.found_labels);
    printf("%" PRIu64 " games with %" PRIu64 " scores in %s, %.0f scores/s\n",
           atomic_load(&c->counts.games), scored, c->options.dir,
           seconds > 0 ? (double)new_scores / seconds : 0.0);
    if (atomic_load(&c->counts.damaged))
        printf("%" PRIu64 " damaged blocks of the games skipped\n",
               atomic_load(&c->counts.damaged));
    return s;
}

static const ArgRow rows[] = {
    ARG_ROW_NEEDED_PATH(RescoreCommand, options.from, "--data", "GAMES",
                        "a directory of games, or one file"),
    ARG_ROW_NEEDED_PATH(RescoreCommand, options.dir, "--out", "DIR",
                        "directory of the new games; each thread writes a file of its own"),
    ARG_ROW_INT(RescoreCommand, options.nodes, "--nodes", "N", 1, 1 << 30,
                "nodes per position; the iteration that reaches the limit is finished"),
    ARG_ROW_INT(RescoreCommand, options.every, "--every", "N", 1, 1000,
                "search one of N quiet positions"),
    ARG_ROW_INT(RescoreCommand, options.max_score, "--max-score", "CP", 1, SCORE_EVAL_MAX,
                "skip positions whose score is larger, in cp"),
    ARG_ROW_THREADS(RescoreCommand, options.threads, 1024, "concurrent games"),
    ARG_ROW_SEED(RescoreCommand, options.seed, "random seed: selects the positions"),
    ARG_ROW_HASH(RescoreCommand, options.hash_mb, " of each thread"),
    ARG_ROW_TEXT(RescoreCommand, evaluator, "--eval", "E",
                 "evaluation: default, classical, or a net file"),
    {0},
};

const Command command_rescore = {
    .name = "rescore",
    .summary = "replace the scores of training games by those of longer searches",
    .about =
        "Searches some quiet positions of each game again and writes the games with these scores\n"
        "only to DIR, for castellan train. An interrupted run resumes when the same command is\n"
        "run again.\n",
    .args = ARG_TABLE(
        RescoreCommand, rows, NULL,
        .initial =
            &(const RescoreCommand){
                .evaluator = "default",
                .options = {.nodes = 1200, .every = 6, .max_score = 700, .seed = 1, .hash_mb = 8}}),
    .run = run,
    .interrupted = "run the same command again to resume",
};
