/* castellan tune: better parameters for the search, by games. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/thread.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Job {
    TuneOptions options;
    TuneGamesOptions games;
    TuneResult result;
    _Atomic uint64_t pairs;
    atomic_bool stop, over;
    char *csv; /* fresh memory, when it follows from the state's name */
    bool list;
    Status status;
    Message why;
} Job;

static void on_news(void *user, const TuneResult *so_far)
{
    atomic_store(&((Job *)user)->pairs, so_far->pairs);
}

static void *work(void *arg)
{
    Job *job = arg;
    TuneGames *games = NULL;
    job->status = tune_games_open(&games, &job->games, &job->stop, &job->why);
    if (job->status == STATUS_OK) {
        job->options.play = tune_games_play;
        job->options.play_user = games;
        job->status = tune_run(&job->options, &job->stop, &job->result, &job->why);
    }
    tune_games_close(games);
    atomic_store(&job->over, true);
    return NULL;
}

static int tune(Job *job)
{
    Progress progress;
    Thread thread;
    interrupt_hold();
    progress_begin(&progress, job->options.pairs, 1, "pairs");
    if (thread_start(&thread, work, job, 0, &job->why) != STATUS_OK)
        return command_failed("tune", &job->why);
    while (!atomic_load(&job->over)) {
        clock_sleep_ms(10);
        progress_show(&progress, atomic_load(&job->pairs));
        if (interrupt_came())
            atomic_store(&job->stop, true);
    }
    thread_join(thread);
    progress_wipe(&progress);
    Text report;
    text_init(&report);
    if (job->result.count)
        tune_report(&job->result, &report);
    fputs(report.at, stdout);
    text_free(&report);
    return job->status == STATUS_OK ? COMMAND_DONE : command_failed("tune", &job->why);
}

static int list_params(void)
{
    int count;
    const ParamRow *rows = params_rows(&count);
    for (int i = 0; i < count; i++)
        printf("%-24s %6d from %d to %d by %d\n", rows[i].name, rows[i].value, rows[i].min,
               rows[i].max, rows[i].step);
    return COMMAND_DONE;
}

static Status parse(Job *job, int argc, char **argv)
{
    TuneOptions *o = &job->options;
    TuneGamesOptions *g = &job->games;
    int64_t pairs = (int64_t)o->pairs, threads = thread_cpu_count(), seed = 1, nodes = 0, hash = 8;
    const char *tc = NULL, *rate = NULL;
    const ArgRow rows[] = {
        {"--pairs", ARG_INT, &pairs, 1, 1000000000},
        {"--nodes", ARG_INT, &nodes, 1, 1000000000},
        {"--tc", ARG_TEXT, &tc, 0, 0},
        {"--params", ARG_TEXT, &o->only, 0, 0},
        {"--state", ARG_TEXT, &o->state, 0, 0},
        {"--csv", ARG_TEXT, &o->csv, 0, 0},
        {"--resume", ARG_FLAG, &o->resume, 0, 0},
        {"--threads", ARG_INT, &threads, 1, 1024},
        {"--seed", ARG_INT, &seed, 0, INT64_MAX},
        {"--rate", ARG_TEXT, &rate, 0, 0},
        {"--openings", ARG_TEXT, &g->openings, 0, 0},
        {"--net", ARG_TEXT, &g->net, 0, 0},
        {"--hash", ARG_INT, &hash, 1, 1 << 20},
        {"--list", ARG_FLAG, &job->list, 0, 0},
        {0},
    };
    Status s = args_parse_no_words(rows, argc, argv, &job->why);
    if (s != STATUS_OK || job->list)
        return s;
    o->rows = params_rows(&o->row_count);
    o->pairs = g->pairs = (uint64_t)pairs;
    o->threads = g->threads = (int)threads;
    o->seed = g->seed = (uint64_t)seed;
    g->limits.nodes = (uint64_t)nodes;
    g->hash_mb = (int)hash;
    if (rate && (!span_to_double(span_of(rate), &o->rate) || o->rate <= 0 || o->rate > 1))
        return status_fail(&job->why, STATUS_INVALID, "--rate wants a number up to 1, not '%s'",
                           rate);
    if (!o->state)
        return status_fail(&job->why, STATUS_INVALID, "where to keep the state (--state FILE)?");
    if (!tc == !nodes)
        return status_fail(&job->why, STATUS_INVALID, "--nodes or --tc?");
    if (tc)
        return player_read_clock(&g->limits, span_of(tc), &job->why);
    return STATUS_OK;
}

static int run(int argc, char **argv)
{
    Job *job = calloc(1, sizeof *job);
    Message why;
    if (!job) {
        status_fail(&why, STATUS_MEMORY, "no memory");
        return command_failed("tune", &why);
    }
    job->options = tune_defaults();
    job->options.news = on_news;
    job->options.news_user = job;
    int code;
    if (parse(job, argc, argv) != STATUS_OK) {
        code = command_misused("tune", &job->why);
    } else if (job->list) {
        code = list_params();
    } else {
        if (!job->options.csv && asprintf(&job->csv, "%s.csv", job->options.state) >= 0)
            job->options.csv = job->csv;
        code = tune(job);
    }
    free(job->csv);
    free(job);
    return code;
}

const Command command_tune = {
    .name = "tune",
    .summary = "tune the search's parameters by games",
    .help =
        "usage: castellan tune --state FILE (--nodes N | --tc 2+0.02) [--pairs N] [--params A,B,...]\n"
        "                      [--threads N] [--resume] [...]\n"
        "       castellan tune --list\n"
        "\n"
        "Plays pairs of games of the program against itself, parameters nudged up for one side and\n"
        "down for the other, and moves them towards the winner (SPSA). Prints the values, and the\n"
        "lines for params.def. Needs a program built with: make TUNE=1. Interrupted or killed, it goes\n"
        "on with --resume.\n"
        "\n"
        "  --state FILE   where the values are kept while they are tuned\n"
        "  --csv FILE     a row of values every ten pairs, to plot (default FILE.csv)\n"
        "  --nodes, --tc  how long to think on a move\n"
        "  --pairs N      pairs of games in all (default 10000)\n"
        "  --params A,B   only these (default all);  --list shows them\n"
        "  --rate X       how far one point moves a value at the end, in steps (default 0.002)\n"
        "  --threads N    games at a time (default: all cores)\n"
        "  --seed S, --openings FILE, --net FILE, --hash MB   as for match\n",
    .run = run,
};
