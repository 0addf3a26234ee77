/* castellan bench: the signature of the search and the speed of this build. */
#include "app/command.h"
#include "engine/bench.h"

#include <inttypes.h>
#include <stdio.h>

static void print_position(void *user, int i, const char *fen, uint64_t nodes)
{
    (void)user;
    printf("%2d/%d %10" PRIu64 "  %s\n", i + 1, bench_count(), nodes, fen);
    fflush(stdout);
}

typedef struct BenchCommand {
    int64_t depth;
    const char *evaluator;
} BenchCommand;

static void set_defaults(void *into)
{
    BenchCommand *c = into;
    c->depth = BENCH_DEPTH;
    c->evaluator = "default";
}

static const ArgRow rows[] = {
    ARG_ROW_INT(BenchCommand, depth, "--depth", "D", 1, BENCH_MAX_DEPTH, "search depth, in plies"),
    ARG_ROW_TEXT(BenchCommand, evaluator, "--eval", "E",
                 "evaluation: default, classical, or a net file"),
    {0},
};

static const ArgTable table = {.rows = rows,
                               .words = "[DEPTH]",
                               .max_words = 1,
                               .size = sizeof(BenchCommand),
                               .defaults = set_defaults};

static int run(int argc, char **argv)
{
    BenchCommand c = {0};
    ArgWords words;
    Message why;
    Status s = args_parse(&table, &c, argc, argv, &words, &why);
    if (s == STATUS_OK && words.count)
        s = args_number("DEPTH", words.at[0], 1, BENCH_MAX_DEPTH, &c.depth, &why);
    if (s != STATUS_OK)
        return command_misused("bench", &why);
    BenchTotal total;
    if (bench_run(c.evaluator, (int)c.depth, NULL, print_position, NULL, &total, &why) != STATUS_OK)
        return command_failed("bench", &why);
    printf("\ntime %.2f s\n%" PRIu64 " nodes %" PRIu64 " nps\n", (double)total.time_us / 1e6,
           total.nodes, total.nps);
    return COMMAND_DONE;
}

const Command command_bench = {
    .name = "bench",
    .summary = "search fixed positions: the node count is the signature of the search",
    .about =
        "Searches fixed positions to a fixed depth with one thread and a table of 16 MB. The number\n"
        "of nodes is the signature of the search: it changes only when the search or the net\n"
        "changes. The last line is \"N nodes M nps\".\n",
    .args = &table,
    .run = run,
};
