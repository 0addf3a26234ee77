/* castellan data: reports on training games, and tools that write new files from them. */
#include "app/command.h"
#include "app/progress.h"
#include "train/data/data_health.h"
#include "train/data/data_tools.h"
#include "train/data/provenance.h"
#include "train/wdl_fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

typedef Status DataTool(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                        Message *why);

typedef struct DataCommand {
    bool check;
    DataTool *tool;
    DataToolOptions options;
    DataToolCounts counts;
    HealthStudy *study;
    const atomic_bool *stop;
    WdlFit fit;
    _Atomic uint64_t bytes_read;
    uint64_t damaged;
    Message damage; /* of the last damaged file */
} DataCommand;

/* -- Report and check -- */

static void print_file(const char *path, Status s, uint64_t cut, uint64_t damaged,
                       const Message *why)
{
    if (s != STATUS_OK)
        printf("%s\n", why->text);
    else if (damaged)
        printf("%s: %" PRIu64 " damaged blocks\n", path, damaged);
    else if (cut)
        printf("%s: ok, with an incomplete block of %" PRIu64 " bytes at the end\n", path, cut);
    else
        printf("%s: ok\n", path);
}

static Status study_file(void *user, const char *path, Message *why)
{
    DataCommand *c = user;
    uint64_t cut = health_of(c->study)->cut;
    uint64_t damaged = health_of(c->study)->damaged_blocks;
    Status s = health_add_file(c->study, path, c->stop, &c->bytes_read, why);
    cut = health_of(c->study)->cut - cut;
    damaged = health_of(c->study)->damaged_blocks - damaged;
    if (c->check && s != STATUS_STOPPED)
        print_file(path, s, cut, damaged, why);
    /* A damaged file is reported at the end; the others are read all the same. */
    if (s == STATUS_OK && damaged)
        s = status_fail(why, STATUS_INVALID, "%s: %" PRIu64 " damaged blocks", path, damaged);
    if (s == STATUS_INVALID) {
        c->damaged++;
        c->damage = *why;
        s = STATUS_OK;
    }
    return s;
}

static Status study_files(DataCommand *c, const ArgWords *files, Message *why)
{
    c->study = health_new();
    Status s = c->study ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory");
    for (int i = 0; i < files->count && s == STATUS_OK; i++)
        s = data_each_file(files->at[i], study_file, c, why);
    return s;
}

static Status add_bytes(void *user, const char *path, Message *why UNUSED)
{
    uint64_t *sum = user;
    struct stat info;
    if (stat(path, &info) == 0)
        *sum += (uint64_t)info.st_size;
    return STATUS_OK;
}

static uint64_t bytes_of(const ArgWords *words)
{
    uint64_t sum = 0;
    for (int i = 0; i < words->count; i++)
        data_each_file(words->at[i], add_bytes, &sum, NULL);
    return sum;
}

/* With which options, and which net, the games were made. */
static void report_provenance(const ArgWords *words, Text *out)
{
    Text lines = text_new();
    provenance_list(words->at, words->count, &lines);
    Span rest = {lines.at, lines.len}, line;
    while (span_next_line(&rest, &line)) {
        char shown[300];
        span_show(line, shown, sizeof shown);
        text_addf(out, "made with    %s\n", shown);
    }
    text_free(&lines);
}

static void print_study(const DataCommand *c, const ArgWords *files)
{
    Text report = text_new();
    const DataHealth *h = health_of(c->study);
    if (!c->check) {
        report_provenance(files, &report);
        health_report(h, &report);
    } else
        text_addf(&report, "%" PRIu64 " games, %" PRIu64 " positions, %" PRIu64 " damaged files\n",
                  h->games, h->positions, c->damaged);
    command_print(&report);
}

static const ArgRow report_rows[] = {
    ARG_ROW_FLAG(DataCommand, check, "--check", "only check that each file is intact"),
    {0},
};

static Status run_report(void *options, const ArgWords *words, Message *why)
{
    DataCommand *c = options;
    Progress progress = {
        .unit = "MB", .per_unit = 1e6, .total = bytes_of(words), .done = &c->bytes_read};
    c->stop = &progress.job.stop;
    progress_begin(&progress);
    Status s = progress_end(&progress, study_files(c, words, why), why);
    if (s == STATUS_OK)
        print_study(c, words);
    if (s == STATUS_OK && c->damaged) {
        *why = c->damage;
        s = STATUS_INVALID;
    }
    health_free(c->study);
    return s;
}

/* -- WDL model -- */

static Status fit_model(DataCommand *c, const ArgWords *files, const atomic_bool *stop,
                        Message *why)
{
    WdlCounts *fit = wdl_counts_new();
    Status s = fit ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory");
    for (int i = 0; i < files->count && s == STATUS_OK; i++)
        s = wdl_counts_add_games(fit, files->at[i], stop, &c->counts.games, why);
    if (s == STATUS_OK)
        s = wdl_fit(fit, &c->fit, why);
    wdl_counts_free(fit);
    return s;
}

static Status run_wdl(void *options, const ArgWords *words, Message *why)
{
    DataCommand *c = options;
    Progress progress = {.unit = "games", .done = &c->counts.games};
    progress_begin(&progress);
    Status s = progress_end(&progress, fit_model(c, words, &progress.job.stop, why), why);
    if (s != STATUS_OK)
        return s;
    Text report = text_new();
    text_addf(&report, "%" PRIu64 " games, ", atomic_load(&c->counts.games));
    wdl_fit_report(&c->fit, &report);
    command_print(&report);
    return STATUS_OK;
}

/* -- Tools -- */

static Status run_tool(void *options, const ArgWords *words, Message *why)
{
    DataCommand *c = options;
    Progress progress = {.unit = "games", .done = &c->counts.games};
    bool names_output = !c->options.output; /* by its first word */
    if (names_output)
        c->options.output = words->at[0];
    c->options.inputs = words->at + names_output;
    c->options.input_count = words->count - names_output;
    progress_begin(&progress);
    Status s = c->tool(&c->options, &progress.job.stop, &c->counts, why);
    s = progress_end(&progress, s, why);
    if (s != STATUS_OK)
        return s;
    uint64_t games = atomic_load(&c->counts.games);
    uint64_t duplicates = atomic_load(&c->counts.duplicates);
    printf("%" PRIu64 " games", games - duplicates);
    if (duplicates)
        printf(" (%" PRIu64 " duplicates skipped)", duplicates);
    printf(" in %s%s\n", c->options.output, c->tool == data_split ? "-*.cgd" : "");
    if (atomic_load(&c->counts.damaged))
        printf("%" PRIu64 " damaged blocks skipped\n", atomic_load(&c->counts.damaged));
    return STATUS_OK;
}

/* Bytes, or with K, M or G behind the number. */
static bool parse_size(const char *value, void *field)
{
    Span text = span_of(value);
    uint64_t unit = 1;
    int64_t number;
    if (text.len) {
        char last = text.at[text.len - 1];
        unit = last == 'K' ? 1 << 10 : last == 'M' ? 1 << 20 : last == 'G' ? 1 << 30 : 1;
        text.len -= unit > 1;
    }
    if (!span_to_int64(text, 1, 1 << 30, &number))
        return false;
    *(uint64_t *)field = (uint64_t)number * unit;
    return *(uint64_t *)field >= DATA_PACK_LEAST;
}

#define UNIQUE_ROW ARG_ROW_FLAG(DataCommand, options.unique, "--unique", "skip duplicate games")
#define SEED_ROW ARG_ROW_SEED(DataCommand, options.seed, "random seed")

static const ArgRow pack_rows[] = {
    ARG_ROW_NEEDED_PATH(DataCommand, options.output, "--out", "DIR", "directory of the new files"),
    ARG_ROW_PARSED(DataCommand, options.size, "--size", "BYTES", parse_size,
                   "a size of at least 1M, with suffix K, M or G",
                   "largest size of a file (default 15M)"),
    UNIQUE_ROW,
    {0},
};

static const ArgRow merge_rows[] = {UNIQUE_ROW, {0}};
static const ArgRow shuffle_rows[] = {SEED_ROW, UNIQUE_ROW, {0}};
static const ArgRow split_rows[] = {
    ARG_ROW_NEEDED_INT(DataCommand, options.parts, "--parts", "N", 1, 1000, "number of files"),
    {0},
};

#define DATA_ARGS(rows_, words_, tool_)   \
    ARG_TABLE(DataCommand, rows_, words_, \
              .initial =                  \
                  &(const DataCommand){.tool = tool_, .options = {.seed = 1, .size = 15 << 20}})

/* -- The command -- */

static const Command merge = {.name = "merge",
                              .about = "writes the games of all files to OUT.cgd.\n",
                              .args = DATA_ARGS(merge_rows, "OUT.cgd FILE|DIR ...", data_merge),
                              .run = run_tool};

static const Command shuffle = {.name = "shuffle",
                                .about = "writes them to OUT.cgd in random order.\n",
                                .args =
                                    DATA_ARGS(shuffle_rows, "OUT.cgd FILE|DIR ...", data_shuffle),
                                .run = run_tool};

static const Command split = {.name = "split",
                              .about = "distributes them to OUT-1.cgd, OUT-2.cgd ...\n",
                              .args = DATA_ARGS(split_rows, "OUT FILE|DIR ...", data_split),
                              .run = run_tool};

static const Command pack = {.name = "pack",
                             .about =
                                 "writes them to files of limited size in DIR, for transport.\n",
                             .args = DATA_ARGS(pack_rows, "FILE|DIR ...", data_pack),
                             .run = run_tool};

static const Command wdl = {
    .name = "wdl",
    .about = "fits the WDL model: win, draw and loss rates by score and material, as UCI_ShowWDL\n"
             "and normalised scores use them.\n",
    .args = DATA_ARGS(NULL, "FILE|DIR ...", NULL),
    .run = run_wdl};

const Command command_data = {
    .name = "data",
    .summary = "report on, check, merge, shuffle, split and pack training games",
    .about =
        "Reports on training games: number, results, scores, duplicates, agreement of scores with\n"
        "results, bytes per position, and warnings about suspicious values. Every game is replayed.\n"
        "The subcommands never overwrite a file.\n",
    .args = DATA_ARGS(report_rows, "FILE|DIR ...", NULL),
    .subcommands = (const Command *const[]){&merge, &shuffle, &split, &pack,
                                            &command_data_positions, &wdl, NULL},
    .run = run_report,
};
