/* castellan perft: how many ways the next moves can go, the proof of the rules. */
#include "app/args.h"
#include "app/command.h"
#include "chess/fen.h"
#include "chess/perft.h"
#include "chess/uci_move.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 100, MAX_HASH_MB = 1 << 20, MAX_THREADS = 1024 };

typedef struct Job {
    int64_t depth, threads, hash_mb;
    bool divide, chess960, from_stdin;
} Job;

typedef struct Divide {
    const Position *p;
} Divide;

static void print_root_move(void *user, Move m, uint64_t nodes)
{
    const Divide *d = user;
    char text[UCI_MOVE_SIZE];
    uci_move_write(d->p, m, text);
    printf("%s: %" PRIu64 "\n", text, nodes);
}

static Status count(const Job *job, const Position *p, uint64_t *total, Message *why)
{
    Divide divide = {p};
    PerftOptions options = {(int)job->threads, (unsigned)job->hash_mb};
    return perft_run(p, (int)job->depth, options, job->divide ? print_root_move : NULL, &divide,
                     total, why);
}

static int run_one(const Job *job, Span fen)
{
    Position p;
    Message why;
    uint64_t total = 0;
    if (fen.len == 0)
        fen = span_of(FEN_START);
    if (fen_parse(&p, fen, job->chess960, &why) != STATUS_OK)
        return command_failed("perft", &why);
    if (count(job, &p, &total, &why) != STATUS_OK)
        return command_failed("perft", &why);
    printf("%sNodes searched: %" PRIu64 "\n", job->divide ? "\n" : "", total);
    return COMMAND_DONE;
}

/* A line that cannot be counted says "error", so that answers stay beside their questions. */
static int run_line(const Job *job, Span fen, long number)
{
    Position p;
    Message why;
    uint64_t total = 0;
    Status s = fen_parse(&p, fen, job->chess960, &why);
    if (s == STATUS_OK)
        s = count(job, &p, &total, &why);
    if (s != STATUS_OK) {
        message_prefix(&why, "line %ld: ", number);
        printf("error\n");
        return command_failed("perft", &why);
    }
    printf("%" PRIu64 "\n", total);
    return COMMAND_DONE;
}

static int run_stdin(const Job *job)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    int code = COMMAND_DONE;
    for (long number = 1; (len = getline(&line, &room, stdin)) >= 0; number++) {
        Span fen = span_trim((Span){line, (size_t)len});
        if (fen.len && run_line(job, fen, number) != COMMAND_DONE)
            code = COMMAND_FAILED;
        fflush(stdout);
    }
    free(line);
    return code;
}

static int run(int argc, char **argv)
{
    Job job = {.threads = 1};
    const ArgRow rows[] = {
        {"--divide", ARG_FLAG, &job.divide, 0, 0},
        {"--stdin", ARG_FLAG, &job.from_stdin, 0, 0},
        {"--chess960", ARG_FLAG, &job.chess960, 0, 0},
        {"--threads", ARG_INT, &job.threads, 1, MAX_THREADS},
        {"--hash", ARG_INT, &job.hash_mb, 0, MAX_HASH_MB},
        {0},
    };
    ArgWords words;
    Message why;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("perft", &why);
    if (words.count == 0) {
        status_fail(&why, STATUS_INVALID, "which depth?");
        return command_misused("perft", &why);
    }
    if (args_number("DEPTH", words.at[0], 0, MAX_DEPTH, &job.depth, &why) != STATUS_OK)
        return command_misused("perft", &why);
    if (job.from_stdin && words.count > 1) {
        status_fail(&why, STATUS_INVALID, "a FEN or --stdin, not both");
        return command_misused("perft", &why);
    }
    if (job.from_stdin)
        return run_stdin(&job);
    Text fen;
    text_init(&fen);
    args_join(&words, 1, &fen);
    int code = run_one(&job, (Span){fen.at, fen.len});
    text_free(&fen);
    return code;
}

const Command command_perft = {
    .name = "perft",
    .summary = "count the positions after DEPTH plies",
    .help =
        "usage: castellan perft DEPTH [FEN] [--divide] [--threads N] [--hash MB] [--chess960]\n"
        "       castellan perft DEPTH --stdin [...]\n"
        "\n"
        "Counts the positions that DEPTH plies of legal moves lead to, from FEN or from the start\n"
        "position. The last line is \"Nodes searched: N\".\n"
        "\n"
        "  --divide      a line for every first move\n"
        "  --stdin       one FEN on each line of the input, one count on each line of the output\n"
        "  --threads N   share the first moves out to N threads (default 1)\n"
        "  --hash MB     remember counts in a table of that size (default 0: none)\n"
        "  --chess960    castling as in Chess960, moves written king takes rook\n",
    .run = run,
};
