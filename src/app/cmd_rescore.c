/* castellan rescore: better scores for training games. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/thread.h"
#include "train/rescore.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct Job {
    RescoreOptions options;
    RescoreCounts counts;
    atomic_bool stop, over;
    Status status;
    Message why;
} Job;

static void *work(void *arg)
{
    Job *job = arg;
    job->status = rescore_run(&job->options, &job->stop, &job->counts, &job->why);
    atomic_store(&job->over, true);
    return NULL;
}

static void watch(Job *job)
{
    Progress progress;
    progress_begin(&progress, 0, 1, "positions");
    while (!atomic_load(&job->over)) {
        clock_sleep_ms(20);
        progress_show(&progress, atomic_load(&job->counts.scored));
        if (interrupt_came())
            atomic_store(&job->stop, true);
    }
    progress_wipe(&progress);
}

static int finish(Job *job, int64_t began_ms)
{
    const RescoreCounts *c = &job->counts;
    double seconds = (double)(clock_now_ms() - began_ms) / 1000.0;
    uint64_t scored = atomic_load(&c->scored), fresh = scored - atomic_load(&c->found);
    printf("%" PRIu64 " games with %" PRIu64 " scores in %s, %.0f scores/s\n",
           atomic_load(&c->games), scored, job->options.dir,
           seconds > 0 ? (double)fresh / seconds : 0.0);
    if (job->status == STATUS_OK && atomic_load(&job->stop))
        job->status = status_fail(&job->why, STATUS_STOPPED, "stopped; the same words go on");
    return job->status == STATUS_OK ? COMMAND_DONE : command_failed("rescore", &job->why);
}

static int run(int argc, char **argv)
{
    int64_t nodes = 1200, every = 6, max_score = 700, threads = thread_cpu_count(), seed = 1,
            hash = 8;
    const char *from = NULL, *dir = NULL, *evaluator = "default";
    const ArgRow rows[] = {
        {"--data", ARG_TEXT, &from, 0, 0},
        {"--out", ARG_TEXT, &dir, 0, 0},
        {"--eval", ARG_TEXT, &evaluator, 0, 0},
        {"--nodes", ARG_INT, &nodes, 1, 1 << 30},
        {"--every", ARG_INT, &every, 1, 1000},
        {"--max-score", ARG_INT, &max_score, 1, SCORE_EVAL_MAX},
        {"--threads", ARG_INT, &threads, 1, 1024},
        {"--seed", ARG_INT, &seed, 0, INT64_MAX},
        {"--hash", ARG_INT, &hash, 1, 1 << 20},
        {0},
    };
    Job job = {0};
    if (args_parse_no_words(rows, argc, argv, &job.why) != STATUS_OK)
        return command_misused("rescore", &job.why);
    if (!from || !dir) {
        status_fail(&job.why, STATUS_INVALID, from ? "where to (--out DIR)?" : "which --data?");
        return command_misused("rescore", &job.why);
    }
    job.options = (RescoreOptions){.from = from,
                                   .dir = dir,
                                   .nodes = (uint64_t)nodes,
                                   .every = (uint32_t)every,
                                   .max_score = (int)max_score,
                                   .threads = (int)threads,
                                   .seed = (uint64_t)seed,
                                   .hash_mb = (unsigned)hash};
    if (evaluator_find(&job.options.evaluator, evaluator, &job.why) != STATUS_OK)
        return command_failed("rescore", &job.why);
    interrupt_hold();
    int64_t began_ms = clock_now_ms();
    Thread thread;
    if (thread_start(&thread, work, &job, 0, &job.why) != STATUS_OK)
        return command_failed("rescore", &job.why);
    watch(&job);
    thread_join(thread);
    evaluator_close(job.options.evaluator);
    return finish(&job, began_ms);
}

const Command command_rescore = {
    .name = "rescore",
    .summary = "give training games the scores of longer searches",
    .help =
        "usage: castellan rescore --data GAMES --out DIR [--nodes 1200] [--every 6] [--max-score 700]\n"
        "                         [--threads N] [--seed S] [--hash MB] [--eval E]\n"
        "\n"
        "Thinks over some quiet positions of each game again and writes the games with these scores\n"
        "alone to DIR, one file for each thread, for castellan train. A run that was interrupted or\n"
        "killed goes on when it is started again with the same words.\n"
        "\n"
        "  --data GAMES   a directory of games or one file\n"
        "  --nodes N      nodes to think on a position (default 1200; an iteration begun is finished)\n"
        "  --every N      one of N quiet positions (default 6)\n"
        "  --max-score N  leave out what was scored beyond N centipawns (default 700)\n"
        "  --threads N    games at a time (default: all cores)\n"
        "  --seed S       other positions for another seed (default 1)\n"
        "  --hash MB      table of each thread (default 8)\n"
        "  --eval E       default, classical, or a net file\n",
    .run = run,
};
