/* castellan data: what training games are worth, and new files from old ones. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/thread.h"
#include "train/data_health.h"
#include "train/data_tools.h"
#include "train/wdl_fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Job {
    ArgWords words;
    bool check, unique, chances;
    int64_t seed, parts;
    Status (*tool)(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                   Message *why);
    DataToolOptions options;
    DataToolCounts counts;
    HealthStudy *study;
    ChancesFit fit;
    _Atomic uint64_t bytes_read;
    uint64_t damaged;
    atomic_bool stop, over;
    Status status;
    Message why;
} Job;

/* -- Report and check -- */

static void tell_file(const char *path, Status s, uint64_t cut, const Message *why)
{
    if (s != STATUS_OK)
        printf("%s\n", why->text);
    else if (cut)
        printf("%s: sound but for half a block of %" PRIu64 " bytes at its end\n", path, cut);
    else
        printf("%s: sound\n", path);
}

static Status study_path(Job *job, const char *path)
{
    char **files;
    int count;
    Status s = data_files(&files, &count, path, &job->why);
    if (s != STATUS_OK)
        return s;
    if (!count)
        s = status_fail(&job->why, STATUS_MISSING, "%s: no data files there", path);
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        uint64_t cut = health_of(job->study)->cut;
        s = health_add_file(job->study, files[i], &job->stop, &job->bytes_read, &job->why);
        cut = health_of(job->study)->cut - cut;
        if (job->check && s != STATUS_STOPPED)
            tell_file(files[i], s, cut, &job->why);
        /* A damaged file is told of at the end; the others are looked at all the same. */
        if (s == STATUS_INVALID) {
            job->damaged++;
            s = STATUS_OK;
        }
    }
    data_files_free(files, count);
    return s;
}

static Status study(Job *job)
{
    job->study = health_new();
    if (!job->study)
        return status_fail(&job->why, STATUS_MEMORY, "no memory");
    Status s = STATUS_OK;
    for (int i = 0; i < job->words.count && s == STATUS_OK; i++)
        s = study_path(job, job->words.at[i]);
    return s;
}

/* -- Chances -- */

static Status fit_chances(Job *job)
{
    Chances *c = chances_new();
    Status s = c ? STATUS_OK : status_fail(&job->why, STATUS_MEMORY, "no memory");
    for (int i = 1; i < job->words.count && s == STATUS_OK; i++)
        s = chances_add_games(c, job->words.at[i], &job->stop, &job->counts.games, &job->why);
    if (s == STATUS_OK)
        s = chances_fit(c, &job->fit, &job->why);
    chances_free(c);
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

/* -- The work, and who watches it -- */

static void *work(void *arg)
{
    Job *job = arg;
    job->status = job->tool      ? job->tool(&job->options, &job->stop, &job->counts, &job->why)
                  : job->chances ? fit_chances(job)
                                 : study(job);
    atomic_store(&job->over, true);
    return NULL;
}

static Status watch(Job *job)
{
    Progress progress;
    Thread thread;
    interrupt_hold();
    bool by_games = job->tool || job->chances;
    progress_begin(&progress, by_games ? 0 : bytes_of(&job->words), by_games ? 1 : 1e6,
                   by_games ? "games" : "MB");
    Status s = thread_start(&thread, work, job, 0, &job->why);
    if (s != STATUS_OK)
        return s;
    while (!atomic_load(&job->over)) {
        clock_sleep_ms(5);
        progress_show(&progress, atomic_load(by_games ? &job->counts.games : &job->bytes_read));
        if (interrupt_came())
            atomic_store(&job->stop, true);
    }
    thread_join(thread);
    progress_wipe(&progress);
    return job->status;
}

static int finish_tool(const Job *job)
{
    uint64_t games = atomic_load(&job->counts.games), left = atomic_load(&job->counts.duplicates);
    printf("%" PRIu64 " games", games - left);
    if (left)
        printf(" (%" PRIu64 " duplicates left out)", left);
    printf(" in %s%s\n", job->options.output, job->tool == data_split ? "-*.cgd" : "");
    return COMMAND_DONE;
}

static int finish_chances(const Job *job)
{
    Text report;
    text_init(&report);
    text_addf(&report, "%" PRIu64 " games, ", atomic_load(&job->counts.games));
    chances_report(&job->fit, &report);
    fputs(report.at, stdout);
    text_free(&report);
    return COMMAND_DONE;
}

static int finish_study(Job *job)
{
    Text report;
    text_init(&report);
    if (!job->check)
        health_report(health_of(job->study), &report);
    else
        text_addf(&report, "%" PRIu64 " games, %" PRIu64 " positions, %" PRIu64 " damaged files\n",
                  health_of(job->study)->games, health_of(job->study)->positions, job->damaged);
    fputs(report.at, stdout);
    text_free(&report);
    return job->damaged ? command_failed("data", &job->why) : COMMAND_DONE;
}

/* -- Arguments -- */

static bool find_tool(Job *job)
{
    static const struct {
        const char *name;
        Status (*tool)(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                       Message *why);
    } tools[] = {{"merge", data_merge}, {"shuffle", data_shuffle}, {"split", data_split}};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (job->words.count && strcmp(job->words.at[0], tools[i].name) == 0)
            job->tool = tools[i].tool;
    return job->tool != NULL;
}

static Status parse(Job *job, int argc, char **argv)
{
    const ArgRow rows[] = {
        {"--check", ARG_FLAG, &job->check, 0, 0},
        {"--unique", ARG_FLAG, &job->unique, 0, 0},
        {"--seed", ARG_INT, &job->seed, 0, INT64_MAX},
        {"--parts", ARG_INT, &job->parts, 1, 1000},
        {0},
    };
    Status s = args_parse(rows, argc, argv, &job->words, &job->why);
    if (s != STATUS_OK)
        return s;
    bool tool = find_tool(job);
    if (tool && job->words.count < 3)
        return status_fail(&job->why, STATUS_INVALID, "castellan data %s OUT FILES ...",
                           job->words.at[0]);
    job->chances = job->words.count && strcmp(job->words.at[0], "chances") == 0;
    if (job->words.count <= job->chances)
        return status_fail(&job->why, STATUS_INVALID, "which files?");
    if (job->tool == data_split && !job->parts)
        return status_fail(&job->why, STATUS_INVALID, "how many --parts?");
    if (tool)
        job->options = (DataToolOptions){.inputs = job->words.at + 2,
                                         .input_count = job->words.count - 2,
                                         .output = job->words.at[1],
                                         .unique = job->unique,
                                         .seed = (uint64_t)job->seed,
                                         .parts = (int)job->parts};
    return STATUS_OK;
}

static int run(int argc, char **argv)
{
    Job job = {.seed = 1};
    if (parse(&job, argc, argv) != STATUS_OK)
        return command_misused("data", &job.why);
    int code = watch(&job) != STATUS_OK ? command_failed("data", &job.why)
               : job.tool               ? finish_tool(&job)
               : job.chances            ? finish_chances(&job)
                                        : finish_study(&job);
    health_free(job.study);
    return code;
}

const Command command_data = {
    .name = "data",
    .summary = "look at, check, merge, shuffle, split and weigh training games",
    .help =
        "usage: castellan data FILES|DIR ... [--check]\n"
        "       castellan data merge OUT.cgd FILES|DIR ... [--unique]\n"
        "       castellan data shuffle OUT.cgd FILES|DIR ... [--seed S] [--unique]\n"
        "       castellan data split OUT FILES|DIR ... --parts N\n"
        "       castellan data chances FILES|DIR ...\n"
        "\n"
        "Reports what the games are worth: how many, results, scores, colours, duplicates, whether\n"
        "scores and results agree, bytes a position; and warns of what looks wrong. Every game is\n"
        "replayed. merge, shuffle and split write new files (split: OUT-1.cgd, OUT-2.cgd ...), never over\n"
        "old ones. chances fits what a score is worth in results, by the material left: the curve behind\n"
        "UCI_ShowWDL and the scores shown, which a new net needs anew (src/search/wdl.c).\n"
        "\n"
        "  --check    only whether each file is sound\n"
        "  --unique   leave out games that came before\n"
        "  --seed S   another order (default 1)\n"
        "  --parts N  how many files\n",
    .run = run,
};
