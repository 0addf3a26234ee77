/* castellan selfplay: training games. */
#include "app/command.h"
#include "app/progress.h"
#include "base/clock.h"
#include "train/selfplay/selfplay.h"
#include "train/selfplay/selfplay_game.h"
#include "train/train_gpu.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct SelfplayCommand {
    SelfplayOptions options;
    SelfplayCounts counts;
    const char *evaluator;
    int64_t seconds; /* 0: no limit */
} SelfplayCommand;

static void print_counts(const SelfplayCommand *c, int64_t began_ms)
{
    const SelfplayCounts *n = &c->counts;
    double seconds = (double)(clock_now_ms() - began_ms) / 1000.0;
    uint64_t positions = atomic_load(&n->positions);
    uint64_t new_positions = positions - atomic_load(&n->found_positions);
    printf("white won %" PRIu64 ", drawn %" PRIu64 ", black won %" PRIu64 "\n",
           atomic_load(&n->wins), atomic_load(&n->draws), atomic_load(&n->losses));
    printf("%" PRIu64 " games, %" PRIu64 " positions in %s, %.0f positions/s\n",
           atomic_load(&n->games), positions, c->options.dir,
           seconds > 0 ? (double)new_positions / seconds : 0.0);
    uint64_t labels = atomic_load(&n->labels), new_labels = labels - atomic_load(&n->found_labels);
    if (atomic_load(&n->nodes) && seconds > 0)
        printf("%.1f million nodes/s\n", (double)atomic_load(&n->nodes) / seconds / 1e6);
    if (c->options.label_nodes || c->options.gpu)
        printf("%" PRIu64 " labels, %.0f labels/s\n", labels,
               seconds > 0 ? (double)new_labels / seconds : 0.0);
}

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    SelfplayCommand *c = options;
    SelfplayOptions *o = &c->options;
    Status s = evaluator_find(&o->evaluator, c->evaluator, why);
    if (s != STATUS_OK)
        return s;
    int64_t began_ms = clock_now_ms();
    Progress progress = {.unit = o->positions ? "positions" : "games",
                         .total = o->positions ? o->positions : o->games,
                         .done = o->positions ? &c->counts.positions : &c->counts.games,
                         .limit_ms = 1000 * c->seconds};
    progress_begin(&progress);
    s = selfplay_run(o, &progress.job.stop, &c->counts, why);
    s = progress_end(&progress, s, why);
    evaluator_close(o->evaluator);
    print_counts(c, began_ms);
    return s;
}

static const ArgRow rows[] = {
    ARG_ROW_NEEDED_PATH(SelfplayCommand, options.dir, "--out", "DIR",
                        "directory of the games; each thread writes a file of its own"),
    ARG_ROW_INT(SelfplayCommand, options.games, "--games", "N", 1, INT64_MAX, "number of games"),
    ARG_ROW_INT(SelfplayCommand, options.positions, "--positions", "N", 1, INT64_MAX,
                "number of positions"),
    ARG_ROW_INT(SelfplayCommand, options.nodes, "--nodes", "N", 1, 1 << 30,
                "nodes per move; the iteration that reaches the limit is finished"),
    ARG_ROW_INT(SelfplayCommand, seconds, "--seconds", "N", 1, 1 << 30,
                "time limit, in seconds; unfinished games are dropped"),
    ARG_ROW_INT(
        SelfplayCommand, options.label_nodes, "--label-nodes", "N", 1, 1 << 30,
        "then score every quiet position with N nodes, without late move pruning; the files "
        "hold these scores only (default: the scores of the games)"),
    ARG_ROW_INT(SelfplayCommand, options.label_max_score, "--max-score", "CP", 1, SCORE_EVAL_MAX,
                "no label where the score of the game is larger, in cp"),
    ARG_ROW_THREADS(SelfplayCommand, options.threads, 1024, "concurrent games"),
    ARG_ROW_SEED(SelfplayCommand, options.seed, "random seed"),
    ARG_ROW_INT(SelfplayCommand, options.chess960_percent, "--chess960", "PERCENT", 0, 100,
                "share of games from Chess960 start positions, in percent"),
    ARG_ROW_INT(SelfplayCommand, options.random_percent, "--random-moves", "PERCENT", 0, 100,
                "share of random moves in every second game, in percent"),
    ARG_ROW_HASH(SelfplayCommand, options.hash_mb, " of each game"),
    ARG_ROW_FLAG(SelfplayCommand, options.gpu, "--gpu",
                 "play on an NVIDIA GPU; standard chess only"),
    ARG_ROW_TEXT(SelfplayCommand, evaluator, "--eval", "E",
                 "evaluation: default, classical, or a net file"),
    {0},
};

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    const SelfplayCommand *c = options;
    if (!c->options.games && !c->options.positions && !c->seconds)
        return status_fail(why, STATUS_INVALID, "missing --games N, --positions N or --seconds N");
    if (c->options.gpu && gpu_absent())
        return status_fail(why, STATUS_INVALID, "%s", gpu_absent());
    return STATUS_OK;
}

const Command command_selfplay = {
    .name = "selfplay",
    .summary = "play training games",
    .about =
        "Plays games of the engine against itself from random openings and writes them to DIR.\n"
        "Stops when the files of this seed and thread count hold N games or positions: an\n"
        "interrupted run resumes when the same command is run again.\n",
    .args = ARG_TABLE(
        SelfplayCommand, rows, NULL,
        .initial = &(const SelfplayCommand){.evaluator = "default",
                                            .options = {.nodes = 5000,
                                                        .seed = 1,
                                                        .chess960_percent = 10,
                                                        .hash_mb = 8,
                                                        .label_max_score = LABEL_MAX_SCORE}}),
    .check = check,
    .run = run,
    .interrupted = "run the same command again to resume",
};
