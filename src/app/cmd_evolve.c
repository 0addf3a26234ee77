/* castellan evolve: the weights of an older program's evaluation, bred by games. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "tune/evolve.h"

#include <stdio.h>
#include <unistd.h>

typedef struct Job {
    EvolveOptions options;
    EvolveState state;
    const char *svg;
    int64_t proof_games;
    StatsTally proof;
    atomic_int generation;
    atomic_bool stop, over;
    Status status;
    Message why;
} Job;

static void on_news(void *user, const EvolveState *so_far)
{
    atomic_store(&((Job *)user)->generation, so_far->count - 1);
}

static void *work(void *arg)
{
    Job *job = arg;
    job->status = evolve_run(&job->options, &job->stop, &job->state, &job->why);
    if (job->status == STATUS_OK && job->proof_games) {
        int evolved[CLASSIC_EVAL_MAX_WEIGHTS], first[CLASSIC_EVAL_MAX_WEIGHTS];
        evolve_result(&job->state, evolved);
        classic_eval_default_weights(job->state.config.evaluator, first);
        job->status = evolve_prove(&job->state.config, evolved, first, job->proof_games,
                                   job->options.threads, &job->stop, &job->proof, &job->why);
    }
    atomic_store(&job->over, true);
    return NULL;
}

static Status write_svg(const Job *job, Message *why)
{
    Text t;
    text_init(&t);
    evolve_svg(&job->state, &t);
    Status s = t.failed ? status_fail(why, STATUS_MEMORY, "no memory for the picture")
                        : file_write_atomic(job->svg, t.at, t.len, why);
    text_free(&t);
    return s;
}

static void report(const Job *job)
{
    Text t;
    text_init(&t);
    evolve_report(&job->state, &t);
    fputs(t.at, stdout);
    text_free(&t);
    StatsSummary s = stats_summary(&job->proof);
    if (!s.games)
        return;
    printf("\nagainst the first weights, %llu games: %.1f %% (+%llu =%llu -%llu), "
           "Elo %.1f +- %.1f\n",
           (unsigned long long)s.games, 100 * s.score, (unsigned long long)job->proof.wins,
           (unsigned long long)job->proof.draws, (unsigned long long)job->proof.losses, s.elo,
           s.elo_error);
}

static int evolve(Job *job)
{
    Progress progress;
    Thread thread;
    interrupt_hold();
    progress_begin(&progress, (uint64_t)job->options.config.generations, 1, "generations");
    if (thread_start(&thread, work, job, 0, &job->why) != STATUS_OK)
        return command_failed("evolve", &job->why);
    while (!atomic_load(&job->over)) {
        clock_sleep_ms(10);
        progress_show(&progress, (uint64_t)atomic_load(&job->generation));
        if (interrupt_came())
            atomic_store(&job->stop, true);
    }
    thread_join(thread);
    progress_wipe(&progress);
    if (job->state.count) {
        report(job);
        Message why;
        if (job->svg && write_svg(job, &why) != STATUS_OK)
            return command_failed("evolve", &why);
    }
    return job->status == STATUS_OK ? COMMAND_DONE : command_failed("evolve", &job->why);
}

static Status check(Job *job)
{
    EvolveConfig *c = &job->options.config;
    if (c->games % 2 || job->proof_games % 2)
        return status_fail(&job->why, STATUS_INVALID,
                           "--games and --prove want even numbers: both colours are played");
    if (job->options.resume && !job->options.state)
        return status_fail(&job->why, STATUS_INVALID, "--resume wants the file (--state FILE)");
    if (job->svg && file_check_place(job->svg, &job->why) != STATUS_OK)
        return STATUS_IO;
    if (!job->options.resume && job->options.state && access(job->options.state, F_OK) == 0)
        return status_fail(&job->why, STATUS_REFUSED,
                           "%s is there already: --resume goes on with it", job->options.state);
    return STATUS_OK;
}

static Status parse(Job *job, int argc, char **argv)
{
    EvolveOptions *o = &job->options;
    const char *name = NULL;
    int64_t depth = 0, nodes = 0, threads = thread_cpu_count();
    o->config = evolve_defaults(NULL);
    const ArgRow rows[] = {
        {"--evaluator", ARG_TEXT, &name, 0, 0},
        {"--population", ARG_INT, &o->config.population, 2, EVOLVE_MAX_POPULATION},
        {"--games", ARG_INT, &o->config.games, 2, 1000},
        {"--generations", ARG_INT, &o->config.generations, 0, EVOLVE_MAX_GENERATIONS},
        {"--depth", ARG_INT, &depth, 1, 64},
        {"--nodes", ARG_INT, &nodes, 1, 1000000000},
        {"--seed", ARG_INT, &o->config.seed, 0, INT64_MAX},
        {"--threads", ARG_INT, &threads, 1, 1024},
        {"--state", ARG_TEXT, &o->state, 0, 0},
        {"--resume", ARG_FLAG, &o->resume, 0, 0},
        {"--svg", ARG_TEXT, &job->svg, 0, 0},
        {"--prove", ARG_INT, &job->proof_games, 2, 1000000},
        {0},
    };
    Status s = args_parse_no_words(rows, argc, argv, &job->why);
    if (s != STATUS_OK)
        return s;
    if (depth || nodes) {
        o->config.depth = depth;
        o->config.nodes = nodes;
    }
    o->threads = (int)threads;
    if (name || !o->resume) /* an evolution that goes on knows whose weights it breeds */
        s = classic_eval_find(&o->config.evaluator, span_of(name ? name : "adaptive"), &job->why);
    return s == STATUS_OK ? check(job) : s;
}

static int run(int argc, char **argv)
{
    Job job = {.options = {.news = on_news}};
    job.options.user = &job;
    if (parse(&job, argc, argv) != STATUS_OK)
        return command_misused("evolve", &job.why);
    int code = evolve(&job);
    evolve_free(&job.state);
    return code;
}

const Command command_evolve = {
    .name = "evolve",
    .summary = "breed the weights of an older program by games",
    .help =
        "usage: castellan evolve [--evaluator NAME] [--generations N] [--state FILE] [--svg FILE]\n"
        "                        [--prove GAMES] [--resume] [...]\n"
        "\n"
        "Weight sets of an older program's evaluation (the names are those of eval --evaluator) play\n"
        "each other; winners stay, mutated copies of them replace the losers, and bounds move with\n"
        "the winners, until all agree. Prints the weights. Interrupted or killed, it goes on with\n"
        "--resume and comes to the same end.\n"
        "\n"
        "  --evaluator NAME   whose weights (default adaptive, the program that bred its own in 2011)\n"
        "  --population N     weight sets (default 5)\n"
        "  --games N          games of a match, two from each opening (default 2)\n"
        "  --generations N    at most (default 100)\n"
        "  --depth D, --nodes N   how far the players look (default 2 plies)\n"
        "  --prove N          then play N games against the weights that it began with\n"
        "  --state FILE       where it is kept while it runs; --resume goes on with FILE\n"
        "  --svg FILE         a picture of the population\n"
        "  --seed S           another one, another evolution (default 1)\n"
        "  --threads N        games at a time (default: all cores); the result is the same\n",
    .run = run,
};
