/* castellan analyse: annotates games. */
#include "app/analyse.h"
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "base/file.h"
#include "base/thread.h"
#include "notation/opening.h"
#include "search/search.h"

#include <inttypes.h>
#include <string.h>

typedef struct Wishes {
    int64_t nodes, ms, depth, threads, hash;
    const char *syzygy;
} Wishes;

/* What all reviewers share. */
typedef struct Shared {
    const Evaluator *evaluator;
    Tablebases *tb;
    Openings *openings;
    Book *book;
} Shared;

static Status open_shared(Shared *shared, const Wishes *w, Message *why)
{
    *shared = (Shared){0};
    Status s = evaluator_default(&shared->evaluator, why);
    if (s == STATUS_OK)
        s = openings_open(&shared->openings, why);
    if (s == STATUS_OK)
        s = book_open_own(&shared->book, why);
    if (s == STATUS_OK && w->syzygy)
        s = tb_open(&shared->tb, w->syzygy, why);
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

static void tell(const AnalyseJob *job, const AnalyseCounts *counts)
{
    FILE *to = job->out ? stdout : stderr;
    fprintf(to, "%" PRIu64 " games, %" PRIu64 " moves, %" PRIu64 " errors", counts->games,
            counts->moves, counts->errors);
    if (counts->skipped)
        fprintf(to, ", %" PRIu64 " done before", counts->skipped);
    fputc('\n', to);
}

static int work(AnalyseJob *job, const Wishes *w)
{
    Shared shared;
    AnalyseCounts counts = {0};
    Message why;
    Status s = open_shared(&shared, w, &why);
    if (s == STATUS_OK) {
        job->options = (ReviewOptions){.nodes = (uint64_t)w->nodes,
                                       .depth = (int)w->depth,
                                       .movetime_ms = w->ms,
                                       .hash_mb = (unsigned)w->hash,
                                       .evaluator = shared.evaluator,
                                       .tb = shared.tb,
                                       .openings = shared.openings,
                                       .book = shared.book};
        interrupt_hold();
        s = analyse_run(job, &counts, &why);
        if (s == STATUS_STOPPED)
            status_fail(&why, s, "stopped after %" PRIu64 " games%s", counts.games + counts.skipped,
                        job->out && counts.games + counts.skipped ? "; --resume goes on" : "");
    }
    close_shared(&shared);
    if (s != STATUS_OK)
        return command_failed("analyse", &why);
    tell(job, &counts);
    return counts.errors ? COMMAND_FAILED : COMMAND_DONE;
}

static Status check(const AnalyseJob *job, const Wishes *w, const ArgWords *words, Message *why)
{
    if (words->count != 1)
        return status_fail(why, STATUS_INVALID, "which games?");
    if ((w->nodes != 0) + (w->ms != 0) + (w->depth != 0) > 1)
        return status_fail(why, STATUS_INVALID, "one of --nodes, --movetime and --depth");
    if (job->resume && !job->out)
        return status_fail(why, STATUS_INVALID, "--resume needs -o");
    if (job->out && job->html && strcmp(job->out, job->html) == 0)
        return status_fail(why, STATUS_INVALID, "-o and --html name the same file");
    Status s = file_keep_apart(job->out, words->at[0], why);
    return s == STATUS_OK ? file_keep_apart(job->html, words->at[0], why) : s;
}

static int run(int argc, char **argv)
{
    AnalyseJob job = {0};
    Wishes w = {.threads = thread_cpu_count(), .hash = REVIEW_DEFAULT_HASH};
    const ArgRow rows[] = {
        {"--nodes", ARG_INT, &w.nodes, 1, INT64_MAX / 1000},
        {"--movetime", ARG_INT, &w.ms, 1, INT32_MAX},
        {"--depth", ARG_INT, &w.depth, 1, MAX_PLY - 1},
        {"-o", ARG_TEXT, &job.out, 0, 0},
        {"--html", ARG_TEXT, &job.html, 0, 0},
        {"--threads", ARG_INT, &w.threads, 1, SEARCH_MAX_THREADS},
        {"--hash", ARG_INT, &w.hash, 1, 1 << 20},
        {"--syzygy", ARG_TEXT, &w.syzygy, 0, 0},
        {"--resume", ARG_FLAG, &job.resume, 0, 0},
        {0},
    };
    ArgWords words;
    Message why;
    Status s = args_parse(rows, argc, argv, &words, &why);
    if (s == STATUS_OK)
        s = check(&job, &w, &words, &why);
    if (s != STATUS_OK)
        return command_misused("analyse", &why);
    job.source = words.at[0];
    job.threads = (int)w.threads;
    return work(&job, &w);
}

const Command command_analyse = {
    .name = "analyse",
    .summary = "annotate games: scores, mistakes and why, better lines",
    .help =
        "usage: castellan analyse GAMES.pgn [--nodes N | --movetime MS | --depth D] [-o OUT.pgn]\n"
        "                         [--html OUT.html] [--threads N] [--hash MB] [--syzygy PATH]\n"
        "                         [--resume]\n"
        "\n"
        "Judges every move of every game (\"-\": standard input) and writes the games with scores,\n"
        "?!, ? and ??, reasons where a line shows one, better lines as variations, and a summary\n"
        "with both players' accuracy, to standard output or OUT.pgn. Comments and variations that\n"
        "are there stay. 100000 nodes a position unless told otherwise, and several times that where\n"
        "a move looks like a mistake; with --nodes or --depth the verdicts are the same every time.\n"
        "\n"
        "  -o OUT.pgn      write there, not over GAMES.pgn; the file appears when it is whole\n"
        "  --html OUT.html  write a page, too, that needs nothing else: a board to step through,\n"
        "                  the graph of the evaluation, and every mistake with its diagram\n"
        "  --threads N     games at a time (all cores)\n"
        "  --hash MB       table of each thread (16)\n"
        "  --syzygy PATH   endgame tables: verdicts on endings become certain\n"
        "  --resume        go on where an interrupted run with the same settings ended\n"
        "\n"
        "Ctrl-C ends the work and keeps the games that are finished. A broken game is told of and\n"
        "left out; the exit code is then 1. Where all are broken, nothing is written.\n",
    .run = run,
};
