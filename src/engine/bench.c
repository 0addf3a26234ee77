#include "engine/bench.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "search/search.h"

/* Openings, middlegames, endings, Chess960, studies, mates, and high counters. A change here
 * changes the signature. */
static const char *const fens[] = {
    FEN_START,
    /* openings and early middlegames */
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnb1k2r/p1pq1ppp/1p2p1n1/3pP1B1/3P2Q1/P1P5/2P2PPP/R3KBNR w KQkq - 4 9",
    "rnbqk2r/pp2ppbp/5np1/2P5/N1Pp4/8/PP1BPPPP/2RQKBNR w Kkq - 2 9",
    "r1bqk2r/pp1n1pp1/5n1p/2pp2B1/1b1P4/2NBP3/PPQ2PPP/R3K1NR w KQkq - 0 9",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
    "rnbq1rk1/pp2ppbp/3p1np1/2pP4/2P1P3/2N2N2/PP2BPPP/R1BQK2R w KQ c6 0 8",
    /* middlegames */
    "r4rk1/1p1b2pp/pn2pp2/n2pP3/3P1P2/PP1B1NN1/3K2PP/R6R w - - 3 11",
    "5rk1/1RR1ppb1/3q2pp/8/r2P3P/4QNP1/P3bPB1/6K1 b - - 2 15",
    "rrb3k1/4pp1p/2P3p1/p2Pb3/N1B5/8/1P3PPP/2B2RK1 w - - 3 16",
    "2kr3r/1q3p2/p2p4/2b2p2/2QN3p/P1N4P/1P4P1/2R1B2K b - - 0 20",
    "r3kb2/p3pp1r/2p1n1p1/2p4p/2q1P2P/P1N1BQP1/1P3PK1/R2R4 b q - 39 29",
    "r5k1/4bppp/2p5/p3p3/P1B1n1b1/2B1P1P1/NP3P1P/R5K1 b - - 7 11",
    "3rk2r/pp3ppp/4pn2/2p5/8/2P5/PP2PPPP/2R1KB1R w Kk - 0 7",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 w - - 2 12",
    "r2q1rk1/pp1nnppp/2pbp3/3p4/4P1b1/3P1NP1/PPPNQPBP/R1B2RK1 w - - 3 9",
    "r3kbnr/ppq2bpp/2n2p2/2ppp3/P2P3B/2P1PN2/1P1N1PPP/R2QKB1R w KQkq e6 0 9",
    "2r4k/1p6/2b2p2/3p1p1p/3N1P2/8/6PP/2R3K1 w - - 0 31",
    /* endings */
    "8/6kp/4p1p1/2p2q2/2r5/2P3Q1/P4PP1/4R1K1 w - - 2 25",
    "8/pp2k3/4n3/2p1P3/2pP4/3R3P/2P3P1/1K1N4 w - - 0 34",
    "3r2k1/6pb/r1B1p2p/2R5/4P2P/6P1/5N2/2R3K1 b - - 1 38",
    "8/1b3k2/p6Q/1p1p1p2/3Pq1p1/P5P1/1P1B3P/4K3 w - - 5 43",
    "4R3/7k/6p1/1K6/p7/P1P5/8/8 b - - 0 47",
    "r7/2k2p1p/1b2p1pP/4P1P1/5PK1/3R4/8/8 b - - 44 56",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/8/8/3k4/4n3/8/1B2K3/3B4 w - - 12 60",
    "r7/3n2k1/1p2p3/1Pp2PP1/2Pp4/3P1b2/2BK1R2/8 w - - 0 62",
    "8/5k2/8/8/4PK2/8/8/8 b - - 0 1",
    /* near the fifty-move rule */
    "8/8/4k3/3R4/4K3/8/8/3r4 w - - 92 120",
    "6k1/5p2/5Bp1/6P1/5K2/8/8/b7 w - - 88 99",
    /* Chess960 and double Chess960 */
    "rkbqnbrn/pppppppp/8/8/8/8/PPPPPPPP/BRKBNNRQ w GBga - 0 1",
    "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w KQkq - 0 1",
    "bnnbqrkr/pppppppp/8/8/8/8/PPPPPPPP/RQKBBNNR w HAhf - 0 1",
    /* mates and a stalemate to avoid */
    "6k1/5ppp/8/8/1q6/8/3Q1PPP/2R3K1 w - - 0 1",
    "8/8/8/2PQ4/4kp2/1Q6/7P/7K b - - 3 51",
    "5k2/8/5K2/8/8/8/8/6Q1 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - - 98 80",
    "7k/5Q2/8/8/8/8/1r6/K7 b - - 0 1",
};

enum { FEN_COUNT = sizeof fens / sizeof *fens };

typedef struct Watch {
    SearchPool *pool;
    const atomic_bool *stop;
} Watch;

int bench_count(void)
{
    return FEN_COUNT;
}

const char *bench_fen(int i)
{
    return fens[i];
}

static bool is_stopped(const atomic_bool *stop)
{
    return stop && atomic_load(stop);
}

static void look_at_stop(void *user, const SearchLine *line)
{
    (void)line;
    const Watch *w = user;
    if (is_stopped(w->stop))
        search_stop(w->pool);
}

static uint64_t search_one(SearchPool *pool, const Position *p, int depth, const atomic_bool *stop)
{
    Watch watch = {pool, stop};
    SearchLimits limits = {.depth = depth};
    SearchOptions options = {.multi_pv = 1};
    SearchEvents events = {.user = &watch, .line = look_at_stop};
    search_clear(pool);
    return search_run(pool, p, &limits, &options, &events).nodes;
}

static Status bench_positions(SearchPool *pool, int depth, const atomic_bool *stop,
                              void (*each)(void *user, int i, const char *fen, uint64_t nodes),
                              void *user, BenchTotal *total, Message *why)
{
    for (int i = 0; i < FEN_COUNT; i++) {
        Position p;
        Status s = fen_parse(&p, span_of(fens[i]), false, why);
        if (s != STATUS_OK)
            return s;
        int64_t begin = clock_now_ns();
        uint64_t nodes = search_one(pool, &p, depth, stop);
        total->time_us += (clock_now_ns() - begin) / 1000;
        if (is_stopped(stop))
            return status_fail(why, STATUS_STOPPED, "interrupted");
        total->nodes += nodes;
        if (each)
            each(user, i, fens[i], nodes);
    }
    return STATUS_OK;
}

Status bench_run(const char *evaluation, int depth, const atomic_bool *stop,
                 void (*each)(void *user, int i, const char *fen, uint64_t nodes), void *user,
                 BenchTotal *total, Message *why)
{
    SearchPool *pool;
    const Evaluator *evaluator;
    *total = (BenchTotal){0};
    Status s = evaluator_find(&evaluator, evaluation, why);
    if (s != STATUS_OK)
        return s;
    s = search_create(&pool, evaluator, BENCH_HASH_MB, why);
    if (s == STATUS_OK) {
        s = bench_positions(pool, depth, stop, each, user, total, why);
        search_destroy(pool);
    }
    evaluator_close(evaluator);
    total->nps = (uint64_t)((double)total->nodes * 1e6 / (double)(total->time_us + 1));
    return s;
}
