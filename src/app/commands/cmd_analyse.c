/* castellan analyse: annotates games. */
#include "app/analyse.h"
#include "app/command.h"
#include "base/file.h"
#include "base/job.h"
#include "notation/opening.h"
#include "search/search.h"

#include <inttypes.h>
#include <string.h>

typedef struct AnalyseCommand {
    AnalyseJob job;
    AnalyseCounts counts;
    const char *syzygy;
} AnalyseCommand;

/* What all reviewers share. */
typedef struct Shared {
    const Evaluator *evaluator;
    Tablebases *tb;
    Openings *openings;
    Book *book;
} Shared;

/* Missing directories and refused tables are reported; they do not stop the work. */
static Status open_tables(Tablebases **tb, const char *syzygy, Message *why)
{
    Status s = tb_open(tb, syzygy, why);
    if (s != STATUS_OK)
        return s;
    Text summary = text_new();
    tb_describe(*tb, &summary);
    fprintf(stderr, "castellan: analyse: %s%s%s\n", summary.at, why->text[0] ? "; " : "",
            why->text);
    text_free(&summary);
    return STATUS_OK;
}

static Status open_shared(Shared *shared, const char *syzygy, Message *why)
{
    *shared = (Shared){0};
    Status s = evaluator_default(&shared->evaluator, why);
    if (s == STATUS_OK)
        s = openings_open(&shared->openings, why);
    if (s == STATUS_OK)
        s = book_open_own(&shared->book, why);
    if (s == STATUS_OK && syzygy)
        s = open_tables(&shared->tb, syzygy, why);
    return s;
}

static void close_shared(Shared *shared)
{
    evaluator_close(shared->evaluator);
    openings_close(shared->openings);
    book_close(shared->book);
    if (shared->tb)
        tb_close(shared->tb);
}

static void print_counts(const AnalyseJob *job, const AnalyseCounts *counts)
{
    FILE *to = job->out ? stdout : stderr;
    fprintf(to, "%" PRIu64 " games, %" PRIu64 " moves, %" PRIu64 " errors", counts->games,
            counts->moves, counts->errors);
    if (counts->skipped)
        fprintf(to, ", %" PRIu64 " finished before", counts->skipped);
    fputc('\n', to);
}

static Status analyse_games(void *user, const atomic_bool *stop, Message *why)
{
    AnalyseCommand *c = user;
    return analyse_run(&c->job, stop, &c->counts, why);
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    (void)words;
    AnalyseCommand *c = options;
    Shared shared;
    ReviewOptions *o = &c->job.options;
    Status s = open_shared(&shared, c->syzygy, why);
    if (s == STATUS_OK) {
        o->evaluator = shared.evaluator;
        o->tb = shared.tb;
        o->openings = shared.openings;
        o->book = shared.book;
        s = job_run(analyse_games, NULL, c, why);
    }
    uint64_t finished = c->counts.games + c->counts.skipped;
    if (s == STATUS_STOPPED)
        status_fail(why, s, "interrupted after %" PRIu64 " games%s", finished,
                    c->job.out && finished ? "; --resume continues" : "");
    close_shared(&shared);
    if (s != STATUS_OK)
        return s;
    print_counts(&c->job, &c->counts);
    return c->counts.errors ? command_printed(why) : STATUS_OK;
}

/* -- Arguments -- */

static const ArgRow rows[] = {
    ARG_ROW_INT(AnalyseCommand, job.options.nodes, "--nodes", "N", 1, INT64_MAX / 1000,
                "nodes per position (default: 100000)"),
    ARG_ROW_INT(AnalyseCommand, job.options.movetime_ms, "--movetime", "MS", 1, INT32_MAX,
                "time per position, in ms"),
    ARG_ROW_INT(AnalyseCommand, job.options.depth, "--depth", "D", 1, MAX_PLY - 1,
                "depth per position, in plies"),
    ARG_ROW_PATH(AnalyseCommand, job.out, "-o", "OUT.pgn",
                 "write the games to this file; it appears when it is complete"),
    ARG_ROW_PATH(AnalyseCommand, job.html, "--html", "OUT.html",
                 "write a self-contained page: board, graph, and a diagram of every mistake"),
    ARG_ROW_THREADS(AnalyseCommand, job.threads, SEARCH_MAX_THREADS, "concurrent games"),
    ARG_ROW_HASH(AnalyseCommand, job.options.hash_mb, " of each thread"),
    ARG_ROW_PATH(AnalyseCommand, syzygy, "--syzygy", "DIRS",
                 "directories of Syzygy tables, separated by ':'"),
    ARG_ROW_FLAG(AnalyseCommand, job.resume, "--resume",
                 "continue an interrupted run with the same options"),
    {0},
};

static Status check(void *options, const ArgWords *words, Message *why)
{
    AnalyseJob *job = &((AnalyseCommand *)options)->job;
    job->source = words->at[0];
    const ReviewOptions *o = &job->options;
    if ((o->nodes != 0) + (o->movetime_ms != 0) + (o->depth != 0) > 1)
        return status_fail(why, STATUS_INVALID,
                           "--nodes, --movetime and --depth exclude each other");
    if (job->resume && !job->out)
        return status_fail(why, STATUS_INVALID, "missing -o OUT.pgn (for --resume)");
    if (job->out && job->html && strcmp(job->out, job->html) == 0)
        return status_fail(why, STATUS_INVALID, "-o and --html name the same file");
    Status s = file_keep_apart(job->out, job->source, why);
    return s == STATUS_OK ? file_keep_apart(job->html, job->source, why) : s;
}

const Command command_analyse = {
    .name = "analyse",
    .summary = "annotate games: scores, mistakes and their reasons, better lines",
    .about =
        "Evaluates every move of every game (\"-\": standard input) and writes the games with scores,\n"
        "?!, ? and ??, reasons for mistakes, better lines as variations, and a summary with the\n"
        "accuracy of both players, to standard output or OUT.pgn. Comments and variations of the\n"
        "source are kept. A move that looks like a mistake is searched several times as long. With\n"
        "--nodes or --depth the result is reproducible.\n",
    .args =
        ARG_TABLE(AnalyseCommand, rows, "GAMES.pgn",
                  .initial = &(const AnalyseCommand){.job.options.hash_mb = REVIEW_DEFAULT_HASH}),
    .check = check,
    .notes =
        "Ctrl-C keeps the finished games. An invalid game is reported and skipped; the exit code is\n"
        "then 1. If all games are invalid, nothing is written.\n",
    .run = run,
};
