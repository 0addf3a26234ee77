#include "proto/uci_task.h"

#include "chess/movegen.h"
#include "chess/perft.h"
#include "chess/uci_move.h"
#include "engine/bench.h"
#include "engine/genfens.h"

#include <inttypes.h>
#include <string.h>

void task_stop(Task *t)
{
    atomic_store(&t->stop, true);
}

void task_wait(Task *t)
{
    if (t->started)
        thread_join(t->thread);
    t->started = false;
}

static void task_end(Task *t)
{
    task_stop(t);
    task_wait(t);
    atomic_store(&t->stop, false);
}

static Status task_start(Task *t, void *(*work)(void *), Message *why)
{
    Status s = thread_start(&t->thread, work, t, 0, why);
    t->started = s == STATUS_OK;
    return s;
}

/* -- perft -- */

/* Trees of this depth are counted without checking the flag: about ten milliseconds. */
enum { UNWATCHED_DEPTH = 4 };

static uint64_t count_leaves(Position *p, int depth, const atomic_bool *stop)
{
    if (depth <= UNWATCHED_DEPTH)
        return perft(p, depth);
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    uint64_t total = 0;
    for (int i = 0; i < count && !atomic_load_explicit(stop, memory_order_relaxed); i++) {
        Undo undo;
        pos_make(p, moves[i], &undo);
        total += count_leaves(p, depth - 1, stop);
        thread_yield();
        pos_unmake(p, moves[i], &undo);
    }
    return total;
}

static void *perft_work(void *arg)
{
    Task *t = arg;
    Position *p = &t->position;
    Move moves[MAX_MOVES];
    int count = t->depth > 0 ? movegen(p, GEN_ALL, moves) : 0;
    uint64_t total = t->depth == 0;
    for (int i = 0; i < count && !atomic_load(&t->stop); i++) {
        Undo undo;
        char text[UCI_MOVE_SIZE];
        uci_move_write(p, moves[i], text);
        pos_make(p, moves[i], &undo);
        uint64_t leaves = count_leaves(p, t->depth - 1, &t->stop);
        pos_unmake(p, moves[i], &undo);
        total += leaves;
        if (!atomic_load(&t->stop))
            output_line(t->out, "%s: %" PRIu64, text, leaves);
    }
    if (atomic_load(&t->stop))
        output_line(t->out, "info string perft stopped");
    else
        output_line(t->out, "\nNodes searched: %" PRIu64, total);
    return NULL;
}

Status task_perft(Task *t, const Position *p, int depth, Message *why)
{
    task_end(t);
    t->position = *p;
    t->depth = depth;
    return task_start(t, perft_work, why);
}

/* -- bench -- */

static void report_bench_position(void *user, int i, const char *fen, uint64_t nodes)
{
    Task *t = user;
    output_line(t->out, "info string bench %2d: %9" PRIu64 "  %s", i + 1, nodes, fen);
}

static void *bench_work(void *arg)
{
    Task *t = arg;
    BenchTotal total;
    Message why;
    if (bench_run("default", t->depth, &t->stop, report_bench_position, t, &total, &why) ==
        STATUS_OK)
        output_line(t->out, "%" PRIu64 " nodes %" PRIu64 " nps", total.nodes, total.nps);
    else
        output_line(t->out, "info string bench: %s", why.text);
    return NULL;
}

Status task_bench(Task *t, Span arguments, Message *why)
{
    Span word;
    int64_t depth = BENCH_DEPTH;
    task_end(t);
    if (span_next_word(&arguments, &word) && !span_to_int64(word, 1, BENCH_MAX_DEPTH, &depth))
        return status_fail(why, STATUS_INVALID, "bench: the depth must be a number from 1 to %d",
                           BENCH_MAX_DEPTH);
    t->depth = (int)depth;
    return task_start(t, bench_work, why);
}

/* -- genfens -- */

static void report_fen(void *user, const char *fen)
{
    Task *t = user;
    output_line(t->out, "info string genfens %s", fen);
}

static void *genfens_work(void *arg)
{
    Task *t = arg;
    Message why;
    GenfensJob job = {t->count, t->seed, t->book};
    if (genfens_run(&job, &t->stop, report_fen, t, &why) != STATUS_OK)
        output_line(t->out, "info string error: genfens: %s", why.text);
    return NULL;
}

static bool take_book(Task *t, Span word)
{
    if (word.len >= sizeof t->book)
        return false;
    if (span_is_ignoring_case(word, "none"))
        word.len = 0;
    memcpy(t->book, word.at, word.len);
    t->book[word.len] = '\0';
    return true;
}

/* The seed is any text: OpenBench sends numbers of up to 64 bits. */
static uint64_t seed_of(Span word)
{
    uint64_t seed = 0;
    for (size_t i = 0; i < word.len; i++)
        seed = seed * 10 + (uint64_t)(word.at[i] - '0');
    return seed;
}

static bool parse_genfens(Task *t, Span arguments)
{
    Span word, value;
    t->seed = 0;
    t->book[0] = '\0';
    if (!span_next_word(&arguments, &word) || !span_to_int64(word, 0, INT64_MAX, &t->count))
        return false;
    while (span_next_word(&arguments, &word)) {
        bool is_seed = span_is(word, "seed"), is_book = span_is(word, "book");
        if (!is_seed && !is_book) {
            output_line(t->out, "info string error: genfens: unknown argument '%.*s' ignored",
                        word.len < 64 ? (int)word.len : 64, word.at);
            continue;
        }
        if (!span_next_word(&arguments, &value))
            return false;
        if (is_seed)
            t->seed = seed_of(value);
        else if (!take_book(t, value))
            return false;
    }
    return true;
}

Status task_genfens(Task *t, Span arguments, Message *why)
{
    task_end(t);
    if (!parse_genfens(t, arguments))
        return status_fail(why, STATUS_INVALID, "error: genfens: expected N seed S book None|FILE");
    return task_start(t, genfens_work, why);
}
