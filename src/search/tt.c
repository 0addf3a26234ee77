#include "search/tt.h"

#include "base/thread.h"

#include <string.h>
#include <sys/mman.h>

enum { AGE_STEP = 8, AGE_MASK = 0xf8, PV_BIT = 4, BOUND_MASK = 3 };

#define LOAD(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define STORE(field, value) atomic_store_explicit(&(field), (value), memory_order_relaxed)

/* -- Memory -- */

Status tt_resize(TranspositionTable *tt, size_t megabytes, Message *why)
{
    if (megabytes > SIZE_MAX >> 21)
        return status_fail(why, STATUS_MEMORY, "no memory for a table of %zu MB", megabytes);
    size_t bytes = megabytes << 20;
    enum { HUGE_PAGE = 2 << 20 };
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return status_fail(why, STATUS_MEMORY, "no memory for a table of %zu MB", megabytes);
    /* Fresh pages are zero, and the threads of the search touch them first, each where it works. */
    if (bytes >= HUGE_PAGE)
        madvise(at, bytes, MADV_HUGEPAGE); /* fewer TLB misses where the system agrees */
    tt_free(tt);
    *tt = (TranspositionTable){
        .clusters = at, .count = bytes / sizeof(TtCluster), .mapped_bytes = bytes};
    return STATUS_OK;
}

void tt_free(TranspositionTable *tt)
{
    if (tt->clusters)
        munmap(tt->clusters, tt->mapped_bytes);
    *tt = (TranspositionTable){0};
}

typedef struct ClearJob {
    char *at;
    size_t len;
} ClearJob;

static void *clear_part(void *arg)
{
    ClearJob *job = arg;
    memset(job->at, 0, job->len);
    return NULL;
}

void tt_clear(TranspositionTable *tt, int threads)
{
    enum { MOST = 64 };
    ClearJob jobs[MOST];
    int parts = threads < 1 ? 1 : threads > MOST ? MOST : threads;
    size_t share = tt->mapped_bytes / (size_t)parts;
    for (int i = 0; i < parts; i++) {
        size_t from = share * (size_t)i;
        jobs[i] = (ClearJob){(char *)tt->clusters + from,
                             i == parts - 1 ? tt->mapped_bytes - from : share};
    }
    thread_run_each(clear_part, jobs, sizeof jobs[0], parts);
    tt->age = 0;
}

void tt_new_search(TranspositionTable *tt)
{
    tt->age = (uint8_t)(tt->age + AGE_STEP);
}

/* -- Scores: stored as seen from the node, not from the root -- */

static Score score_to_table(Score s, int ply)
{
    return score_is_win(s) ? s + ply : score_is_loss(s) ? s - ply : s;
}

/* A mate or tablebase win that the fifty-move counter may not let happen is taken down to the largest
 * claim that is still safe. */
static Score score_from_table(Score s, int ply, int rule50)
{
    if (s == SCORE_NONE)
        return SCORE_NONE;
    if (score_is_win(s)) {
        bool too_late =
            s >= SCORE_MATE_MIN ? SCORE_MATE - s > 100 - rule50 : SCORE_TB_WIN - s > 100 - rule50;
        return too_late ? SCORE_TB_MIN - 1 : s - ply;
    }
    if (score_is_loss(s)) {
        bool too_late =
            s <= -SCORE_MATE_MIN ? SCORE_MATE + s > 100 - rule50 : SCORE_TB_WIN + s > 100 - rule50;
        return too_late ? -SCORE_TB_MIN + 1 : s + ply;
    }
    return s;
}

/* -- Probing and storing -- */

static int relative_age(const TranspositionTable *tt, uint8_t age_pv_bound)
{
    return (tt->age - (age_pv_bound & AGE_MASK)) & AGE_MASK;
}

/* Deep and fresh entries are worth keeping. */
static int entry_worth(const TranspositionTable *tt, const TtEntry *e)
{
    return LOAD(e->depth) - relative_age(tt, LOAD(e->age_pv_bound));
}

static TtProbe read_entry(TtEntry *e, int ply, int rule50)
{
    uint8_t flags = LOAD(e->age_pv_bound);
    return (TtProbe){.slot = e,
                     .hit = true,
                     .was_pv = flags & PV_BIT,
                     .bound = (ScoreBound)(flags & BOUND_MASK),
                     .move = LOAD(e->move),
                     .depth = LOAD(e->depth) - TT_DEPTH_OFFSET,
                     .score = score_from_table(LOAD(e->score), ply, rule50),
                     .eval = LOAD(e->eval)};
}

TtProbe tt_probe(const TranspositionTable *tt, Key key, int ply, int rule50)
{
    TtCluster *c = tt_cluster(tt, key);
    TtEntry *worst = &c->entry[0];
    for (int i = 0; i < TT_CLUSTER; i++) {
        TtEntry *e = &c->entry[i];
        if (LOAD(e->tag) == (uint16_t)key && LOAD(e->depth))
            return read_entry(e, ply, rule50);
        if (entry_worth(tt, e) < entry_worth(tt, worst))
            worst = e;
    }
    return (TtProbe){.slot = worst, .score = SCORE_NONE, .eval = SCORE_NONE};
}

void tt_store(const TranspositionTable *tt, TtEntry *e, Key key, int ply, int depth, Score score,
              Score eval, ScoreBound bound, Move move, bool was_pv)
{
    bool same = LOAD(e->tag) == (uint16_t)key;
    if (depth > MAX_PLY) /* extensions may lead beyond what a byte holds */
        depth = MAX_PLY;
    if (move || !same)
        STORE(e->move, move); /* an old move of this position is better than none */
    bool keep = same && bound != BOUND_EXACT &&
                depth + TT_DEPTH_OFFSET + 4 + 2 * was_pv <= LOAD(e->depth) &&
                relative_age(tt, LOAD(e->age_pv_bound)) == 0;
    if (keep)
        return;
    STORE(e->tag, (uint16_t)key);
    STORE(e->score, (int16_t)(score == SCORE_NONE ? SCORE_NONE : score_to_table(score, ply)));
    STORE(e->eval, (int16_t)eval);
    STORE(e->depth, (uint8_t)(depth + TT_DEPTH_OFFSET));
    STORE(e->age_pv_bound, (uint8_t)(tt->age | (was_pv ? PV_BIT : 0) | bound));
}

int tt_hashfull(const TranspositionTable *tt)
{
    enum { SAMPLE = 1000 };
    int used = 0;
    for (size_t i = 0; i < SAMPLE && i < tt->count; i++)
        for (int k = 0; k < TT_CLUSTER; k++) {
            const TtEntry *e = &tt->clusters[i].entry[k];
            used += LOAD(e->depth) && relative_age(tt, LOAD(e->age_pv_bound)) == 0;
        }
    return used / TT_CLUSTER;
}
