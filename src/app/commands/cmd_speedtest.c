/* castellan speedtest: nodes per second, by number of threads. */
#include "app/command.h"
#include "chess/fen.h"
#include "engine/bench.h"
#include "search/search.h"

#include <inttypes.h>
#include <stdio.h>

/* A few different middlegames of the bench. */
static const int sample[] = {0, 4, 8, 12, 15};

enum { SAMPLE_COUNT = sizeof sample / sizeof *sample, MAX_SECONDS = 3600, MAX_HASH_MB = 1 << 20 };

/* The nodes of all positions, and how many in a second. */
static Status measure(SearchPool *pool, int64_t ms, uint64_t *nodes, double *nps, Message *why)
{
    int64_t time_ms = 0;
    *nodes = 0;
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        Position p;
        Status s = fen_parse(&p, span_of(bench_fen(sample[i])), false, why);
        if (s != STATUS_OK)
            return s;
        SearchLimits limits = {.move_time_ms = ms};
        SearchOptions options = {.multi_pv = 1};
        search_clear(pool);
        SearchResult r = search_run(pool, &p, &limits, &options, &(SearchEvents){0});
        *nodes += r.nodes;
        time_ms += r.time_ms;
    }
    *nps = 1000.0 * (double)*nodes / (double)(time_ms > 0 ? time_ms : 1);
    return STATUS_OK;
}

static Status test_all(SearchPool *pool, int64_t most, int64_t ms, Message *why)
{
    double one = 0;
    printf("threads        nodes          nps     speedup\n");
    for (int64_t threads = 1;; threads = 2 * threads < most ? 2 * threads : most) {
        uint64_t nodes;
        double nps;
        Status s = search_set_threads(pool, (int)threads, why);
        if (s == STATUS_OK)
            s = measure(pool, ms, &nodes, &nps, why);
        if (s != STATUS_OK)
            return s;
        one = threads == 1 ? nps : one;
        printf("%7" PRId64 " %12" PRIu64 " %12.0f %11.2f\n", threads, nodes, nps,
               nps / (one > 0 ? one : 1));
        fflush(stdout);
        if (threads == most)
            return STATUS_OK;
    }
}

typedef struct SpeedtestCommand {
    int64_t threads, seconds;
    unsigned hash_mb;
} SpeedtestCommand;

static const ArgRow rows[] = {
    ARG_ROW_THREADS(SpeedtestCommand, threads, SEARCH_MAX_THREADS, "maximum number of threads"),
    ARG_ROW_INT(SpeedtestCommand, seconds, "--seconds", "S", 1, MAX_SECONDS,
                "time for each number of threads, in seconds"),
    ARG_ROW_INT(SpeedtestCommand, hash_mb, "--hash", "MB", 1, MAX_HASH_MB,
                "transposition table, in MB"),
    {0},
};

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    const SpeedtestCommand *c = options;
    SearchPool *pool = NULL;
    const Evaluator *evaluator = NULL;
    Status s = evaluator_default(&evaluator, why);
    if (s == STATUS_OK)
        s = search_create(&pool, evaluator, c->hash_mb, why);
    if (s == STATUS_OK) {
        s = test_all(pool, c->threads, c->seconds * 1000 / SAMPLE_COUNT, why);
        search_destroy(pool);
    }
    evaluator_close(evaluator);
    return s;
}

const Command command_speedtest = {
    .name = "speedtest",
    .summary = "measure nodes per second by number of threads",
    .about = "Searches with 1, 2, 4 ... N threads and prints the nodes per second of each.\n",
    .args = ARG_TABLE(SpeedtestCommand, rows, NULL,
                      .initial = &(const SpeedtestCommand){.seconds = 10, .hash_mb = 256}),
    .run = run,
};
