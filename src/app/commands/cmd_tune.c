/* castellan tune: SPSA on the parameters of the search. */
#include "app/command.h"
#include "app/progress.h"
#include "tune/tune.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct TuneCommand {
    TuneOptions options;
    TuneGamesOptions games;
    TuneResult result;
    _Atomic uint64_t pairs;
    char *csv; /* allocated when its name follows from the state's */
    bool list;
} TuneCommand;

static void on_pair(void *user, const TuneResult *so_far)
{
    atomic_store(&((TuneCommand *)user)->pairs, so_far->pairs);
}

static Status play_pairs(TuneCommand *c, const atomic_bool *stop, Message *why)
{
    TuneGames *games = NULL;
    Status s = tune_games_open(&games, &c->games, stop, why);
    if (s == STATUS_OK) {
        c->options.play = tune_games_play;
        c->options.play_user = games;
        s = tune_run(&c->options, stop, &c->result, why);
    }
    tune_games_close(games);
    return s;
}

static void list_params(void)
{
    int count;
    const ParamRow *params = params_rows(&count);
    for (int i = 0; i < count; i++)
        printf("%-24s %6d from %d to %d by %d\n", params[i].name, params[i].value, params[i].min,
               params[i].max, params[i].step);
}

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    TuneCommand *c = options;
    Progress progress = {.unit = "pairs", .total = c->options.pairs, .done = &c->pairs};
    if (c->list) {
        list_params();
        return STATUS_OK;
    }
    if (!c->options.csv && asprintf(&c->csv, "%s.csv", c->options.state) >= 0)
        c->options.csv = c->csv;
    progress_begin(&progress);
    Status s = progress_end(&progress, play_pairs(c, &progress.job.stop, why), why);
    Text report = text_new();
    if (c->result.count)
        tune_report(&c->result, &report);
    command_print(&report);
    free(c->csv);
    return s;
}

/* -- Arguments -- */

static void set_defaults(void *into)
{
    TuneCommand *c = into;
    c->options = tune_defaults();
    c->options.seed = 1;
    c->games.hash_mb = 8;
}

static const ArgRow rows[] = {
    ARG_ROW_PATH(TuneCommand, options.state, "--state", "FILE", "file of the current values"),
    ARG_ROW_INT(TuneCommand, games.limits.nodes, "--nodes", "N", 1, 1000000000, "nodes per move"),
    ARG_ROW_PARSED(TuneCommand, games.limits, "--tc", "TC", args_clock, ARGS_CLOCK_ACCEPTS,
                   "time control in seconds, such as 2+0.02"),
    ARG_ROW_INT(TuneCommand, options.pairs, "--pairs", "N", 1, 1000000000,
                "pairs of games in total"),
    ARG_ROW_TEXT(TuneCommand, options.only, "--params", "A,B", "parameters to tune (default: all)"),
    ARG_ROW_REAL(TuneCommand, options.rate, "--rate", "X", 1e-9, 1,
                 "learning rate at the end, as a fraction of each parameter's step"),
    ARG_ROW_PATH(
        TuneCommand, options.csv, "--csv", "FILE",
        "CSV file of the values, written every ten pairs (default: the state file's name with .csv)"),
    ARG_ROW_FLAG(TuneCommand, options.resume, "--resume", "resume from the state file"),
    ARG_ROW_THREADS(TuneCommand, options.threads, 1024, "concurrent games"),
    ARG_ROW_SEED(TuneCommand, options.seed, "random seed"),
    ARG_ROW_PATH(TuneCommand, games.openings, "--openings", "FILE",
                 "openings, as for match (default: random openings)"),
    ARG_ROW_PATH(TuneCommand, games.net, "--net", "NET", "net file, or classical"),
    ARG_ROW_HASH(TuneCommand, games.hash_mb, " of each player"),
    ARG_ROW_FLAG(TuneCommand, list, "--list", "list the parameters and their ranges"),
    {0},
};

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    TuneCommand *c = options;
    TuneOptions *o = &c->options;
    TuneGamesOptions *g = &c->games;
    if (c->list)
        return STATUS_OK;
    if (!o->state)
        return status_fail(why, STATUS_INVALID, "missing --state FILE");
    if (!g->limits.nodes && !g->limits.base_ms)
        return status_fail(why, STATUS_INVALID, "missing --nodes N or --tc TC");
    if (g->limits.nodes && g->limits.base_ms)
        return status_fail(why, STATUS_INVALID, "--nodes and --tc exclude each other");
    o->rows = params_rows(&o->row_count);
    o->news = on_pair;
    o->news_user = c;
    g->pairs = o->pairs;
    g->threads = o->threads;
    g->seed = o->seed;
    return STATUS_OK;
}

const Command command_tune = {
    .name = "tune",
    .summary = "tune the parameters of the search by games (SPSA)",
    .about =
        "Plays pairs of games of the program against itself, with the parameters changed up for\n"
        "one side and down for the other, and moves them towards the winner (SPSA). Prints the\n"
        "values and the lines for params.def. Needs a program built with: make TUNE=1. An\n"
        "interrupted run resumes with --resume.\n",
    .args = ARG_TABLE(TuneCommand, rows, NULL, .defaults = set_defaults),
    .check = check,
    .run = run,
};
