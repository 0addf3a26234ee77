/* castellan data positions: single positions for a teacher. */
#include "app/command.h"
#include "app/progress.h"
#include "train/positions.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct PositionsCommand {
    PositionsOptions options;
    SampleFilter filter;
    bool held_out;
    const char *net_path;
    Net *net;
    PositionsCounts counts;
} PositionsCommand;

static Status export(PositionsCommand *c, const ArgWords *files, const atomic_bool *stop,
                     Message *why)
{
    SampleSet train = {0}, held_out = {0};
    SampleCounts counts = {0};
    Status s = STATUS_OK;
    for (int i = 0; i < files->count && s == STATUS_OK; i++)
        s = sample_load(&train, &held_out, files->at[i], &c->filter, c->options.threads, stop,
                        &counts, why);
    if (s == STATUS_OK)
        s = data_make_dir(c->options.out, why);
    if (s == STATUS_OK)
        s = positions_export(c->held_out ? &held_out : &train, &c->options, stop, &c->counts, why);
    sample_set_free(&train);
    sample_set_free(&held_out);
    return s;
}

static void set_defaults(void *into)
{
    PositionsCommand *c = into;
    c->filter = sample_filter_defaults();
    c->options.seed = 1;
}

static const ArgRow rows[] = {
    ARG_ROW_NEEDED_PATH(PositionsCommand, options.out, "--out", "DIR",
                        "directory of the new files"),
    ARG_ROW_INT(PositionsCommand, options.variants, "--variants", "N", 1, 64,
                "write positions one or two random moves away instead: N attempts per position"),
    ARG_ROW_PATH(PositionsCommand, net_path, "--net", "NET",
                 "store the values of this net with the positions"),
    ARG_ROW_REAL(PositionsCommand, filter.held_out, "--val", "X", 0, 0.5,
                 "share of games held out for validation, as in castellan train"),
    ARG_ROW_FLAG(PositionsCommand, held_out, "--held-out",
                 "write the held-out games' positions instead of the others'"),
    ARG_ROW_THREADS(PositionsCommand, options.threads, 1024, "threads"),
    ARG_ROW_SEED(PositionsCommand, options.seed, "random seed"),
    {0},
};

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    PositionsCommand *c = options;
    return c->net_path ? net_load(&c->net, c->net_path, why) : STATUS_OK;
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    PositionsCommand *c = options;
    Progress progress = {.unit = "positions", .done = &c->counts.read};
    c->options.net = c->net;
    progress_begin(&progress);
    Status s = progress_end(&progress, export(c, words, &progress.job.stop, why), why);
    if (s == STATUS_OK)
        printf("%" PRIu64 " positions in %s\n", atomic_load(&c->counts.written), c->options.out);
    return s;
}

static void release(void *options)
{
    net_free(((PositionsCommand *)options)->net);
}

const Command command_data_positions = {
    .name = "positions",
    .about = "writes the quiet positions of the games, or with --variants positions near them, to\n"
             "files in DIR (positions-0001.cps ...), for a teacher to label.\n",
    .args = ARG_TABLE(PositionsCommand, rows, "FILE|DIR ...", .defaults = set_defaults),
    .check = check,
    .run = run,
    .release = release,
};
