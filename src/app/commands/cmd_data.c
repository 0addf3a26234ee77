/* castellan data: reports on training games, and tools that write new files from them. */
#include "app/command.h"
#include "app/commands/data_commands.h"
#include "app/progress.h"
#include "base/job.h"
#include "train/data/data_health.h"
#include "train/data/data_tools.h"
#include "train/data/provenance.h"
#include "train/wdl_fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef Status DataTool(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                        Message *why);

typedef struct DataCommand {
    ArgWords files;
    bool check;
    DataTool *tool;
    DataToolOptions options;
    DataToolCounts counts;
    HealthStudy *study;
    WdlFit fit;
    _Atomic uint64_t bytes_read;
    uint64_t damaged;
    Message damage; /* of the last damaged file */
    Progress progress;
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

static Status study_path(DataCommand *c, const char *path, const atomic_bool *stop, Message *why)
{
    char **files;
    int count;
    Status s = data_files(&files, &count, path, why);
    if (s != STATUS_OK)
        return s;
    if (!count)
        s = status_fail(why, STATUS_MISSING, "%s: no data files", path);
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        uint64_t cut = health_of(c->study)->cut;
        uint64_t damaged = health_of(c->study)->damaged_blocks;
        s = health_add_file(c->study, files[i], stop, &c->bytes_read, why);
        cut = health_of(c->study)->cut - cut;
        damaged = health_of(c->study)->damaged_blocks - damaged;
        if (c->check && s != STATUS_STOPPED)
            print_file(files[i], s, cut, damaged, why);
        /* A damaged file is reported at the end; the others are read all the same. */
        if (s == STATUS_OK && damaged)
            s = status_fail(why, STATUS_INVALID, "%s: %" PRIu64 " damaged blocks", files[i],
                            damaged);
        if (s == STATUS_INVALID) {
            c->damaged++;
            c->damage = *why;
            s = STATUS_OK;
        }
    }
    data_files_free(files, count);
    return s;
}

static Status study_files(void *user, const atomic_bool *stop, Message *why)
{
    DataCommand *c = user;
    c->study = health_new();
    Status s = c->study ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory");
    for (int i = 0; i < c->files.count && s == STATUS_OK; i++)
        s = study_path(c, c->files.at[i], stop, why);
    return s;
}

static uint64_t bytes_of(const ArgWords *words)
{
    uint64_t sum = 0;
    for (int i = 0; i < words->count; i++) {
        char **files;
        int count;
        struct stat info;
        if (data_files(&files, &count, words->at[i], NULL) != STATUS_OK)
            continue;
        for (int k = 0; k < count; k++)
            if (stat(files[k], &info) == 0)
                sum += (uint64_t)info.st_size;
        data_files_free(files, count);
    }
    return sum;
}

static void show_bytes(void *user)
{
    DataCommand *c = user;
    progress_show(&c->progress, atomic_load(&c->bytes_read));
}

/* With which options, and which net, the games were made. */
static void report_provenance(const ArgWords *words, Text *out)
{
    Text lines;
    text_init(&lines);
    for (int i = 0; i < words->count; i++) {
        char **files;
        int count;
        if (data_files(&files, &count, words->at[i], NULL) != STATUS_OK)
            continue;
        provenance_list(files, count, &lines);
        data_files_free(files, count);
    }
    Span rest = {lines.at, lines.len}, line;
    while (span_next_line(&rest, &line)) {
        char shown[300];
        span_show(line, shown, sizeof shown);
        text_addf(out, "made with    %s\n", shown);
    }
    text_free(&lines);
}

static void print_study(const DataCommand *c)
{
    Text report;
    const DataHealth *h = health_of(c->study);
    text_init(&report);
    if (!c->check) {
        report_provenance(&c->files, &report);
        health_report(h, &report);
    } else
        text_addf(&report, "%" PRIu64 " games, %" PRIu64 " positions, %" PRIu64 " damaged files\n",
                  h->games, h->positions, c->damaged);
    fputs(report.at, stdout);
    text_free(&report);
}

static const ArgRow report_rows[] = {
    ARG_ROW_FLAG(DataCommand, check, "--check", "only check that each file is intact"),
    {0},
};

static const ArgTable report_table = {
    .rows = report_rows, .words = "FILE|DIR ...", .min_words = 1, .size = sizeof(DataCommand)};

static int run_report(int argc, char **argv)
{
    DataCommand c = {0};
    Message why;
    if (args_parse(&report_table, &c, argc, argv, &c.files, &why) != STATUS_OK)
        return command_misused("data", &why);
    progress_begin(&c.progress, bytes_of(&c.files), 1e6, "MB");
    Status s = job_run(study_files, show_bytes, &c, &why);
    progress_wipe(&c.progress);
    if (s == STATUS_OK)
        print_study(&c);
    if (s == STATUS_OK && c.damaged) {
        why = c.damage;
        s = STATUS_INVALID;
    }
    health_free(c.study);
    return command_end("data", s, &why);
}

/* -- WDL model -- */

static Status fit_model(void *user, const atomic_bool *stop, Message *why)
{
    DataCommand *c = user;
    WdlCounts *fit = wdl_counts_new();
    Status s = fit ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory");
    for (int i = 0; i < c->files.count && s == STATUS_OK; i++)
        s = wdl_counts_add_games(fit, c->files.at[i], stop, &c->counts.games, why);
    if (s == STATUS_OK)
        s = wdl_fit(fit, &c->fit, why);
    wdl_counts_free(fit);
    return s;
}

static void show_games(void *user)
{
    DataCommand *c = user;
    progress_show(&c->progress, atomic_load(&c->counts.games));
}

static const ArgTable wdl_table = {
    .words = "FILE|DIR ...", .min_words = 1, .size = sizeof(DataCommand)};

static int run_wdl(int argc, char **argv)
{
    DataCommand c = {0};
    Message why;
    if (args_parse(&wdl_table, &c, argc, argv, &c.files, &why) != STATUS_OK)
        return command_misused("data", &why);
    progress_begin(&c.progress, 0, 1, "games");
    Status s = job_run(fit_model, show_games, &c, &why);
    progress_wipe(&c.progress);
    if (s != STATUS_OK)
        return command_failed("data", &why);
    Text report;
    text_init(&report);
    text_addf(&report, "%" PRIu64 " games, ", atomic_load(&c.counts.games));
    wdl_fit_report(&c.fit, &report);
    fputs(report.at, stdout);
    text_free(&report);
    return COMMAND_DONE;
}

/* -- Tools -- */

static Status run_tool(void *user, const atomic_bool *stop, Message *why)
{
    DataCommand *c = user;
    return c->tool(&c->options, stop, &c->counts, why);
}

static int use_tool(DataTool *tool, const ArgTable *table, int argc, char **argv)
{
    DataCommand c = {0};
    ArgWords words;
    Message why;
    Status s = args_parse(table, &c, argc, argv, &words, &why);
    if (s != STATUS_OK)
        return command_misused("data", &why);
    c.tool = tool;
    bool names_output = !c.options.output; /* by its first word */
    if (names_output)
        c.options.output = words.at[0];
    c.options.inputs = words.at + names_output;
    c.options.input_count = words.count - names_output;
    progress_begin(&c.progress, 0, 1, "games");
    s = job_run(run_tool, show_games, &c, &why);
    progress_wipe(&c.progress);
    if (s != STATUS_OK)
        return command_failed("data", &why);
    uint64_t games = atomic_load(&c.counts.games);
    uint64_t duplicates = atomic_load(&c.counts.duplicates);
    printf("%" PRIu64 " games", games - duplicates);
    if (duplicates)
        printf(" (%" PRIu64 " duplicates skipped)", duplicates);
    printf(" in %s%s\n", c.options.output, tool == data_split ? "-*.cgd" : "");
    if (atomic_load(&c.counts.damaged))
        printf("%" PRIu64 " damaged blocks skipped\n", atomic_load(&c.counts.damaged));
    return COMMAND_DONE;
}

static void set_tool_defaults(void *into)
{
    ((DataCommand *)into)->options.seed = 1;
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

static void set_pack_defaults(void *into)
{
    ((DataCommand *)into)->options.size = 15 << 20;
}

static const ArgRow pack_rows[] = {
    ARG_ROW_NEEDED_PATH(DataCommand, options.output, "--out", "DIR", "directory of the new files"),
    ARG_ROW_PARSED(DataCommand, options.size, "--size", "BYTES", parse_size,
                   "a size of at least 1M, with suffix K, M or G",
                   "largest size of a file (default 15M)"),
    ARG_ROW_FLAG(DataCommand, options.unique, "--unique", "skip duplicate games"),
    {0},
};

static const ArgTable pack_table = {.rows = pack_rows,
                                    .words = "FILE|DIR ...",
                                    .min_words = 1,
                                    .size = sizeof(DataCommand),
                                    .defaults = set_pack_defaults};

#define TOOL_TABLE(rows_, words_)                                                    \
    {                                                                                \
        .rows = rows_, .words = words_, .min_words = 2, .size = sizeof(DataCommand), \
        .defaults = set_tool_defaults                                                \
    }
#define UNIQUE_ROW ARG_ROW_FLAG(DataCommand, options.unique, "--unique", "skip duplicate games")
#define SEED_ROW ARG_ROW_INT(DataCommand, options.seed, "--seed", "S", 0, INT64_MAX, "random seed")
static const ArgRow merge_rows[] = {UNIQUE_ROW, {0}};
static const ArgRow shuffle_rows[] = {SEED_ROW, UNIQUE_ROW, {0}};
static const ArgRow split_rows[] = {
    {.name = "--parts",
     .value = "N",
     .kind = ARG_INT,
     .required = true,
     ARG_FIELD(DataCommand, options.parts),
     .min = 1,
     .max = 1000,
     .help = "number of files"},
    {0},
};
static const ArgTable merge_table = TOOL_TABLE(merge_rows, "OUT.cgd FILE|DIR ...");
static const ArgTable shuffle_table = TOOL_TABLE(shuffle_rows, "OUT.cgd FILE|DIR ...");
static const ArgTable split_table = TOOL_TABLE(split_rows, "OUT FILE|DIR ...");

static int run_merge(int argc, char **argv)
{
    return use_tool(data_merge, &merge_table, argc, argv);
}

static int run_shuffle(int argc, char **argv)
{
    return use_tool(data_shuffle, &shuffle_table, argc, argv);
}

static int run_split(int argc, char **argv)
{
    return use_tool(data_split, &split_table, argc, argv);
}

static int run_pack(int argc, char **argv)
{
    return use_tool(data_pack, &pack_table, argc, argv);
}

/* -- The command -- */

static const Command subcommands[] = {
    {.name = "merge",
     .about = "writes the games of all files to OUT.cgd.\n",
     .args = &merge_table,
     .run = run_merge},
    {.name = "shuffle",
     .about = "writes them to OUT.cgd in random order.\n",
     .args = &shuffle_table,
     .run = run_shuffle},
    {.name = "split",
     .about = "distributes them to OUT-1.cgd, OUT-2.cgd ...\n",
     .args = &split_table,
     .run = run_split},
    {.name = "pack",
     .about = "writes them to files of limited size in DIR, for transport.\n",
     .args = &pack_table,
     .run = run_pack},
    {.name = "positions",
     .about =
         "writes the quiet positions of the games, or with --variants positions near them, to\n"
         "files in DIR (positions-0001.cps ...), for a teacher to label.\n",
     .args = &data_positions_table,
     .run = data_positions_run},
    {.name = "wdl",
     .about = "fits the WDL model: win, draw and loss rates by score and material, as UCI_ShowWDL\n"
              "and normalised scores use them.\n",
     .args = &wdl_table,
     .run = run_wdl},
    {0},
};

const Command command_data = {
    .name = "data",
    .summary = "report on, check, merge, shuffle, split and pack training games",
    .about =
        "Reports on training games: number, results, scores, duplicates, agreement of scores with\n"
        "results, bytes per position, and warnings about suspicious values. Every game is replayed.\n"
        "The subcommands never overwrite a file.\n",
    .args = &report_table,
    .subcommands = subcommands,
    .run = run_report,
};
