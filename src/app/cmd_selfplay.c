/* castellan selfplay: training games. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/thread.h"
#include "train/selfplay.h"
#include "train/selfplay_label.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct Job {
    SelfplayOptions options;
    SelfplayCounts counts;
    int64_t seconds; /* 0: no limit */
    atomic_bool stop, over;
    bool interrupted;
    Status status;
    Message why;
} Job;

static void *play(void *arg)
{
    Job *job = arg;
    job->status = selfplay_run(&job->options, &job->stop, &job->counts, &job->why);
    atomic_store(&job->over, true);
    return NULL;
}

/* Waits for the games to be played, shows how far they are, and passes Ctrl-C on. */
static void watch(Job *job, int64_t began_ms)
{
    const SelfplayOptions *o = &job->options;
    Progress progress;
    uint64_t total = o->positions ? o->positions : o->games;
    progress_begin(&progress, total, 1, o->positions ? "positions" : "games");
    while (!atomic_load(&job->over)) {
        clock_sleep_ms(20);
        progress_show(&progress,
                      atomic_load(o->positions ? &job->counts.positions : &job->counts.games));
        if (interrupt_came())
            job->interrupted = true;
        if (job->interrupted || (job->seconds && clock_now_ms() - began_ms >= 1000 * job->seconds))
            atomic_store(&job->stop, true);
    }
    progress_wipe(&progress);
}

static int finish(Job *job, int64_t began_ms)
{
    const SelfplayCounts *c = &job->counts;
    double seconds = (double)(clock_now_ms() - began_ms) / 1000.0;
    uint64_t positions = atomic_load(&c->positions),
             fresh = positions - atomic_load(&c->found_positions);
    printf("white won %" PRIu64 ", drawn %" PRIu64 ", black won %" PRIu64 "\n",
           atomic_load(&c->wins), atomic_load(&c->draws), atomic_load(&c->losses));
    printf("%" PRIu64 " games, %" PRIu64 " positions in %s, %.0f positions/s\n",
           atomic_load(&c->games), positions, job->options.dir,
           seconds > 0 ? (double)fresh / seconds : 0.0);
    if (job->options.label_nodes)
        printf("%" PRIu64 " labels, %.0f labels/s\n", atomic_load(&c->labels),
               seconds > 0
                   ? (double)(atomic_load(&c->labels) - atomic_load(&c->found_labels)) / seconds
                   : 0.0);
    if (job->status == STATUS_OK && job->interrupted)
        job->status = status_fail(&job->why, STATUS_STOPPED,
                                  "interrupted; run the same command again to resume");
    return job->status == STATUS_OK ? COMMAND_DONE : command_failed("selfplay", &job->why);
}

static int run(int argc, char **argv)
{
    int64_t games = 0, positions = 0, nodes = 5000, threads = thread_cpu_count(), seed = 1,
            chess960 = 10, hash = 8, label_nodes = 0, max_score = LABEL_MAX_SCORE, seconds = 0;
    const char *dir = NULL, *evaluator = "default";
    const ArgRow rows[] = {
        {"--out", ARG_TEXT, &dir, 0, 0},
        {"--eval", ARG_TEXT, &evaluator, 0, 0},
        {"--games", ARG_INT, &games, 1, INT64_MAX},
        {"--positions", ARG_INT, &positions, 1, INT64_MAX},
        {"--nodes", ARG_INT, &nodes, 1, 1 << 30},
        {"--label-nodes", ARG_INT, &label_nodes, 1, 1 << 30},
        {"--max-score", ARG_INT, &max_score, 1, SCORE_EVAL_MAX},
        {"--seconds", ARG_INT, &seconds, 1, 1 << 30},
        {"--threads", ARG_INT, &threads, 1, 1024},
        {"--seed", ARG_INT, &seed, 0, INT64_MAX},
        {"--chess960", ARG_INT, &chess960, 0, 100},
        {"--hash", ARG_INT, &hash, 1, 1 << 20},
        {0},
    };
    Job job = {0};
    if (args_parse_no_words(rows, argc, argv, &job.why) != STATUS_OK)
        return command_misused("selfplay", &job.why);
    if (!dir || (!games && !positions && !seconds)) {
        status_fail(&job.why, STATUS_INVALID,
                    dir ? "missing --games N, --positions N or --seconds N" : "missing --out DIR");
        return command_misused("selfplay", &job.why);
    }
    job.options = (SelfplayOptions){.dir = dir,
                                    .games = (uint64_t)games,
                                    .positions = (uint64_t)positions,
                                    .nodes = (uint64_t)nodes,
                                    .label_nodes = (uint64_t)label_nodes,
                                    .label_max_score = (int)max_score,
                                    .threads = (int)threads,
                                    .seed = (uint64_t)seed,
                                    .chess960_percent = (int)chess960,
                                    .hash_mb = (unsigned)hash};
    if (evaluator_find(&job.options.evaluator, evaluator, &job.why) != STATUS_OK)
        return command_failed("selfplay", &job.why);
    job.seconds = seconds;
    interrupt_hold();
    int64_t began_ms = clock_now_ms();
    Thread thread;
    if (thread_start(&thread, play, &job, 0, &job.why) != STATUS_OK)
        return command_failed("selfplay", &job.why);
    watch(&job, began_ms);
    thread_join(thread);
    evaluator_close(job.options.evaluator);
    return finish(&job, began_ms);
}

const Command command_selfplay = {
    .name = "selfplay",
    .summary = "play training games against itself",
    .help =
        "usage: castellan selfplay --out DIR (--games N | --positions N | --seconds N) [--nodes 5000]\n"
        "                          [--label-nodes N] [--max-score 700] [--threads N] [--seed S]\n"
        "                          [--chess960 PERCENT] [--hash MB] [--eval E]\n"
        "\n"
        "Plays games of the engine against itself from random openings and writes them to DIR, one\n"
        "file for each thread. N counts what is in the files of this seed and thread count: a run that\n"
        "was interrupted or killed resumes when the same command is run again.\n"
        "\n"
        "  --games N        until there are N games\n"
        "  --positions N    until there are N positions\n"
        "  --seconds N      for N seconds at most; games not finished by then are dropped\n"
        "  --nodes N        nodes a move (default 5000; an iteration begun is finished)\n"
        "  --label-nodes N  then score every quiet position with N nodes, without late-move pruning;\n"
        "                   the file holds these scores only (default: the scores of the play)\n"
        "  --max-score N    no label where the play's score is beyond N cp (default 700)\n"
        "  --threads N      games at a time (default: all cores)\n"
        "  --seed S         another seed gives other games (default 1)\n"
        "  --chess960 P     percent of the games that start from Chess960 positions (default 10)\n"
        "  --hash MB        transposition table of each game (default 8)\n"
        "  --eval E         default, classical, or a net file\n",
    .run = run,
};
