/* castellan bench: the signature of the search and the speed of this build. */
#include "app/command.h"
#include "engine/bench.h"

#include <inttypes.h>
#include <stdio.h>

static void print_position(void *user UNUSED, int i, const char *fen, uint64_t nodes)
{
    printf("%2d/%d %10" PRIu64 "  %s\n", i + 1, bench_count(), nodes, fen);
    fflush(stdout);
}

typedef struct BenchCommand {
    int64_t depth;
    const char *evaluator;
} BenchCommand;

static const ArgRow rows[] = {
    ARG_ROW_INT(BenchCommand, depth, "--depth", "D", 1, BENCH_MAX_DEPTH, "search depth, in plies"),
    ARG_ROW_TEXT(BenchCommand, evaluator, "--eval", "E",
                 "evaluation: default, classical, or a net file"),
    {0},
};

static Status check(void *options, const ArgWords *words, Message *why)
{
    BenchCommand *c = options;
    return words->count ? args_number("DEPTH", words->at[0], 1, BENCH_MAX_DEPTH, &c->depth, why)
                        : STATUS_OK;
}

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    const BenchCommand *c = options;
    BenchTotal total;
    Status s = bench_run(c->evaluator, (int)c->depth, NULL, print_position, NULL, &total, why);
    if (s == STATUS_OK)
        printf("\ntime %.2f s\n%" PRIu64 " nodes %" PRIu64 " nps\n", (double)total.time_us / 1e6,
               total.nodes, total.nps);
    return s;
}

const Command command_bench = {
    .name = "bench",
    .summary = "search fixed positions: the node count is the signature of the search",
    .about =
        "Searches fixed positions to a fixed depth with one thread and a table of 16 MB. The number\n"
        "of nodes is the signature of the search: it changes only when the search or the net\n"
        "changes. The last line is \"N nodes M nps\".\n",
    .args =
        ARG_TABLE(BenchCommand, rows, "[DEPTH]",
                  .initial = &(const BenchCommand){.depth = BENCH_DEPTH, .evaluator = "default"}),
    .check = check,
    .run = run,
};
