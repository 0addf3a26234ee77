#include "chess/perft.h"

#include "base/thread.h"
#include "chess/movegen.h"

#include <stdatomic.h>
#include <stdlib.h>

uint64_t perft(Position *p, int depth)
{
    if (depth <= 0)
        return 1;
    if (depth == 1)
        return (uint64_t)movegen_count(p);
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        Undo undo;
        pos_make(p, moves[i], &undo);
        nodes += perft(p, depth - 1);
        pos_unmake(p, moves[i], &undo);
    }
    return nodes;
}

/* Shared without locks: `check` is key ^ nodes, so that a torn entry is detected. */
typedef struct PerftEntry {
    _Atomic uint64_t check, nodes;
} PerftEntry;

typedef struct PerftTable {
    PerftEntry *entries;
    size_t mask;
} PerftTable;

typedef struct PerftJob {
    const Position *root;
    int depth;
    PerftTable table;
    Move moves[MAX_MOVES];
    uint64_t nodes[MAX_MOVES];
    int count;
    atomic_int next;
} PerftJob;

static Key entry_key(const Position *p, int depth)
{
    return p->st.key ^ (uint64_t)depth * 0x9e3779b97f4a7c15u;
}

static uint64_t perft_hashed(Position *p, int depth, const PerftTable *t)
{
    if (depth <= 1 || !t->entries)
        return perft(p, depth);
    Key key = entry_key(p, depth);
    PerftEntry *e = &t->entries[key & t->mask];
    uint64_t nodes = atomic_load_explicit(&e->nodes, memory_order_relaxed);
    if ((atomic_load_explicit(&e->check, memory_order_relaxed) ^ nodes) == key)
        return nodes;
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    nodes = 0;
    for (int i = 0; i < count; i++) {
        Undo undo;
        pos_make(p, moves[i], &undo);
        nodes += perft_hashed(p, depth - 1, t);
        pos_unmake(p, moves[i], &undo);
    }
    atomic_store_explicit(&e->nodes, nodes, memory_order_relaxed);
    atomic_store_explicit(&e->check, key ^ nodes, memory_order_relaxed);
    return nodes;
}

static void *perft_work(void *arg)
{
    PerftJob *job = arg;
    Position p = *job->root;
    for (int i; (i = atomic_fetch_add(&job->next, 1)) < job->count;) {
        Undo undo;
        pos_make(&p, job->moves[i], &undo);
        job->nodes[i] = perft_hashed(&p, job->depth - 1, &job->table);
        pos_unmake(&p, job->moves[i], &undo);
    }
    return NULL;
}

static Status table_open(PerftTable *t, unsigned megabytes, Message *why)
{
    if (!megabytes)
        return STATUS_OK;
    size_t wanted = ((size_t)megabytes << 20) / sizeof(PerftEntry), size = 1;
    while (size * 2 <= wanted)
        size *= 2;
    t->entries = calloc(size, sizeof *t->entries);
    if (!t->entries)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a perft hash table of %u MB",
                           megabytes);
    t->mask = size - 1;
    return STATUS_OK;
}

Status perft_run(const Position *p, int depth, PerftOptions options,
                 void (*each)(void *user, Move m, uint64_t nodes), void *user, uint64_t *total,
                 Message *why)
{
    *total = 1;
    if (depth <= 0)
        return STATUS_OK;
    PerftJob job = {.root = p, .depth = depth};
    Status status = table_open(&job.table, options.hash_mb, why);
    if (status != STATUS_OK)
        return status;
    job.count = movegen(p, GEN_ALL, job.moves);
    thread_run_each(perft_work, &job, 0, options.threads);
    *total = 0;
    for (int i = 0; i < job.count; i++) {
        *total += job.nodes[i];
        if (each)
            each(user, job.moves[i], job.nodes[i]);
    }
    free(job.table.entries);
    return STATUS_OK;
}
