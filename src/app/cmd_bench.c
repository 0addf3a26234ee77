/* castellan bench: the signature of the search and the speed of this build. */
#include "app/args.h"
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

static int run(int argc, char **argv)
{
    int64_t depth = BENCH_DEPTH;
    const char *evaluation = "default";
    const ArgRow rows[] = {
        {"--depth", ARG_INT, &depth, 1, BENCH_MAX_DEPTH},
        {"--eval", ARG_TEXT, &evaluation, 0, 0},
        {0},
    };
    ArgWords words;
    Message why;
    Status s = args_parse(rows, argc, argv, &words, &why);
    if (s == STATUS_OK && words.count)
        s = args_number("DEPTH", words.at[0], 1, BENCH_MAX_DEPTH, &depth, &why);
    if (s == STATUS_OK && words.count > 1)
        s = status_fail(&why, STATUS_INVALID, "what is '%s' for?", words.at[1]);
    if (s != STATUS_OK)
        return command_misused("bench", &why);
    BenchTotal total;
    if (bench_run(evaluation, (int)depth, NULL, print_position, NULL, &total, &why) != STATUS_OK)
        return command_failed("bench", &why);
    printf("\ntime %.2f s\n%" PRIu64 " nodes %" PRIu64 " nps\n", (double)total.time_us / 1e6,
           total.nodes, total.nps);
    return COMMAND_DONE;
}

const Command command_bench = {
    .name = "bench",
    .summary = "search fixed positions: the same nodes for the same program",
    .help =
        "usage: castellan bench [DEPTH] [--eval E]\n"
        "\n"
        "Searches fixed positions to a fixed depth (default 13) with one thread and 16 MB. The\n"
        "number of nodes is the signature of the search: it is the same every time, and another\n"
        "number means another search. The last line is \"N nodes M nps\".\n"
        "\n"
        "  --eval E  with another evaluation: classical, or a net file\n",
    .run = run,
};
