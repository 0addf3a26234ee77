/* castellan perft: counts positions, the test of move generation. */
#include "app/command.h"
#include "chess/fen.h"
#include "chess/perft.h"
#include "chess/uci_move.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 100, MAX_HASH_MB = 1 << 20, MAX_THREADS = 1024 };

typedef struct PerftCommand {
    int64_t depth;
    PerftOptions options;
    bool divide, chess960, from_stdin;
} PerftCommand;

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

static Status count(const PerftCommand *c, const Position *p, uint64_t *total, Message *why)
{
    Divide divide = {p};
    return perft_run(p, (int)c->depth, c->options, c->divide ? print_root_move : NULL, &divide,
                     total, why);
}

static int run_one(const PerftCommand *c, Span fen)
{
    Position p;
    Message why;
    uint64_t total = 0;
    if (fen.len == 0)
        fen = span_of(FEN_START);
    if (fen_parse(&p, fen, c->chess960, &why) != STATUS_OK)
        return command_failed("perft", &why);
    if (count(c, &p, &total, &why) != STATUS_OK)
        return command_failed("perft", &why);
    printf("%sNodes searched: %" PRIu64 "\n", c->divide ? "\n" : "", total);
    return COMMAND_DONE;
}

/* An invalid line gives "error", so that output lines match input lines. */
static int run_line(const PerftCommand *c, Span fen, long number)
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
        return command_failed("perft", &why);
    }
    printf("%" PRIu64 "\n", total);
    return COMMAND_DONE;
}

static int run_stdin(const PerftCommand *c)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    int code = COMMAND_DONE;
    for (long number = 1; (len = getline(&line, &room, stdin)) >= 0; number++) {
        Span fen = span_trim((Span){line, (size_t)len});
        if (fen.len && run_line(c, fen, number) != COMMAND_DONE)
            code = COMMAND_FAILED;
        fflush(stdout);
    }
    free(line);
    return code;
}

static void set_defaults(void *into)
{
    ((PerftCommand *)into)->options.threads = 1;
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

static const ArgTable table = {.rows = rows,
                               .words = "DEPTH [FEN]",
                               .min_words = 1,
                               .size = sizeof(PerftCommand),
                               .defaults = set_defaults};

static int run(int argc, char **argv)
{
    PerftCommand c = {0};
    ArgWords words;
    Message why;
    Status s = args_parse(&table, &c, argc, argv, &words, &why);
    if (s == STATUS_OK)
        s = args_number("DEPTH", words.at[0], 0, MAX_DEPTH, &c.depth, &why);
    if (s == STATUS_OK && c.from_stdin && words.count > 1)
        s = status_fail(&why, STATUS_INVALID, "FEN and --stdin exclude each other");
    if (s != STATUS_OK)
        return command_misused("perft", &why);
    if (c.from_stdin)
        return run_stdin(&c);
    Text fen;
    text_init(&fen);
    args_join(&words, 1, &fen);
    int code = run_one(&c, (Span){fen.at, fen.len});
    text_free(&fen);
    return code;
}

const Command command_perft = {
    .name = "perft",
    .summary = "count the positions after DEPTH plies",
    .about = "Counts the positions after DEPTH plies of legal moves, from FEN or from the start\n"
             "position. The last line is \"Nodes searched: N\".\n",
    .args = &table,
    .run = run,
};
