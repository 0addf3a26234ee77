/* castellan perft: counts positions, the test of move generation. */
#include "app/command.h"
#include "chess/fen.h"
#include "chess/perft.h"
#include "chess/uci_move.h"
#include "proto/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_DEPTH = 100, MAX_HASH_MB = 1 << 20, MAX_THREADS = 1024 };

typedef struct PerftCommand {
    int64_t depth;
    PerftOptions options;
    bool divide, chess960, from_stdin;
} PerftCommand;

static void print_root_move(void *user, Move m, uint64_t nodes)
{
    const Position *p = user;
    char text[UCI_MOVE_SIZE];
    uci_move_write(p, m, text);
    printf("%s: %" PRIu64 "\n", text, nodes);
}

static Status count(const PerftCommand *c, Position *p, uint64_t *total, Message *why)
{
    return perft_run(p, (int)c->depth, c->options, c->divide ? print_root_move : NULL, p, total,
                     why);
}

static Status run_one(const PerftCommand *c, Position *p, Message *why)
{
    uint64_t total = 0;
    Status s = count(c, p, &total, why);
    if (s == STATUS_OK)
        printf("%sNodes searched: %" PRIu64 "\n", c->divide ? "\n" : "", total);
    return s;
}

/* An invalid line gives "error", so that output lines match input lines. */
static bool run_line(const PerftCommand *c, Span fen, long number)
{
    Position p;
    Message why;
    uint64_t total = 0;
    Status s = fen_parse(&p, fen, c->chess960, &why);
    if (s == STATUS_OK)
        s = count(c, &p, &total, &why);
    if (s != STATUS_OK) {
        message_prefix(&why, "line %ld: ", number);
        printf("error\n");
        command_failed("perft", &why);
    } else {
        printf("%" PRIu64 "\n", total);
    }
    return s == STATUS_OK;
}

static Status run_stdin(const PerftCommand *c, Message *why)
{
    Input in;
    InputEvent event;
    Span line;
    bool fine = true;
    Status s = input_open(&in, STDIN_FILENO, why);
    if (s != STATUS_OK)
        return s;
    for (long number = 1; (event = input_next(&in, &line)) != INPUT_END; number++) {
        Span fen = event == INPUT_LINE ? span_trim(line) : span_of("a line that is too long");
        if (fen.len)
            fine &= run_line(c, fen, number);
        fflush(stdout);
    }
    input_close(&in);
    return fine ? STATUS_OK : command_printed(why);
}

static const ArgRow rows[] = {
    ARG_ROW_FLAG(PerftCommand, divide, "--divide", "print a count for every first move"),
    ARG_ROW_FLAG(PerftCommand, from_stdin, "--stdin",
                 "read one FEN per line from standard input and print one count per line"),
    ARG_ROW_INT(PerftCommand, options.threads, "--threads", "N", 1, MAX_THREADS, "threads"),
    ARG_ROW_INT(PerftCommand, options.hash_mb, "--hash", "MB", 0, MAX_HASH_MB,
                "hash table, in MB; 0: none"),
    ARG_ROW_FLAG(PerftCommand, chess960, "--chess960", "read FEN as Chess960"),
    {0},
};

static Status check(void *options, const ArgWords *words, Message *why)
{
    PerftCommand *c = options;
    if (c->from_stdin && words->count > 1)
        return status_fail(why, STATUS_INVALID, "FEN and --stdin exclude each other");
    return args_number("DEPTH", words->at[0], 0, MAX_DEPTH, &c->depth, why);
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    const PerftCommand *c = options;
    Position p;
    if (c->from_stdin)
        return run_stdin(c, why);
    Status s = args_position(words, 1, c->chess960, &p, why);
    return s == STATUS_OK ? run_one(c, &p, why) : s;
}

const Command command_perft = {
    .name = "perft",
    .summary = "count the positions after DEPTH plies",
    .about = "Counts the positions after DEPTH plies of legal moves, from FEN or from the start\n"
             "position. The last line is \"Nodes searched: N\".\n",
    .args = ARG_TABLE(PerftCommand, rows, "DEPTH [FEN]",
                      .initial = &(const PerftCommand){.options.threads = 1}),
    .check = check,
    .run = run,
};
