#include "search/tt.h"

#include "base/memory.h"
#include "base/thread.h"

#include <string.h>

enum { AGE_STEP = 8, AGE_MASK = 0xf8, PV_BIT = 4, BOUND_MASK = 3 };

#define LOAD(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define STORE(field, value) atomic_store_explicit(&(field), (value), memory_order_relaxed)

/* -- Memory -- */

Status tt_resize(TranspositionTable *tt, size_t megabytes, Message *why)
{
    if (megabytes > SIZE_MAX >> 21)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a hash table of %zu MB",
                           megabytes);
    size_t bytes = megabytes << 20;
    /* Search threads touch the pages first, which places them near their cores. */
    void *memory = memory_pages(bytes);
    if (!memory)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a hash table of %zu MB",
                           megabytes);
    tt_free(tt);
    *tt = (TranspositionTable){
        .clusters = memory, .count = bytes / sizeof(TtCluster), .mapped_bytes = bytes};
    return STATUS_OK;
}

void tt_free(TranspositionTable *tt)
{
    memory_pages_free(tt->clusters, tt->mapped_bytes);
    *tt = (TranspositionTable){0};
}

typedef struct TtClearPart {
    char *at;
    size_t len;
} TtClearPart;

static void *clear_part(void *arg)
{
    TtClearPart *job = arg;
    memset(job->at, 0, job->len);
    return NULL;
}

void tt_clear(TranspositionTable *tt, int threads)
{
    enum { MOST = 64 };
    TtClearPart jobs[MOST];
    int parts = threads < 1 ? 1 : threads > MOST ? MOST : threads;
    size_t share = tt->mapped_bytes / (size_t)parts;
    for (int i = 0; i < parts; i++) {
        size_t from = share * (size_t)i;
        jobs[i] = (TtClearPart){(char *)tt->clusters + from,
                                i == parts - 1 ? tt->mapped_bytes - from : share};
    }
    thread_run_each(clear_part, jobs, sizeof jobs[0], parts);
    tt->age = 0;
}

void tt_new_search(TranspositionTable *tt)
{
    tt->age = (uint8_t)(tt->age + AGE_STEP);
}

/* -- Scores: mates are stored relative to the node, not the root -- */

static Score score_to_tt(Score s, int ply)
{
    return score_is_win(s) ? s + ply : score_is_loss(s) ? s - ply : s;
}

/* A mate or tablebase win that the fifty-move rule may prevent becomes the largest score below the
 * decisive ones. */
static Score score_from_tt(Score s, int ply, int rule50)
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

/* Entries with low depth and old age are replaced first. */
static int replace_value(const TranspositionTable *tt, const TtEntry *e)
{
    return LOAD(e->depth) - relative_age(tt, LOAD(e->age_pv_bound));
}

static TtProbe read_entry(TtEntry *e, int ply, int rule50)
{
    uint8_t flags = LOAD(e->age_pv_bound);
    return (TtProbe){.slot = e,
                     .hit = true,
                     .tt_pv = flags & PV_BIT,
                     .bound = (ScoreBound)(flags & BOUND_MASK),
                     .move = LOAD(e->move),
                     .depth = LOAD(e->depth) - TT_DEPTH_OFFSET,
                     .score = score_from_tt(LOAD(e->score), ply, rule50),
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
        if (replace_value(tt, e) < replace_value(tt, worst))
            worst = e;
    }
    return (TtProbe){.slot = worst, .score = SCORE_NONE, .eval = SCORE_NONE};
}

void tt_store(const TranspositionTable *tt, TtEntry *e, Key key, int ply, int depth, Score score,
              Score eval, ScoreBound bound, Move move, bool tt_pv)
{
    bool same = LOAD(e->tag) == (uint16_t)key;
    if (depth > MAX_PLY) /* extended depths may not fit the byte */
        depth = MAX_PLY;
    if (move || !same)
        STORE(e->move, move); /* keeps the old move of this position when there is no new one */
    bool keep = same && bound != BOUND_EXACT &&
                depth + TT_DEPTH_OFFSET + 4 + 2 * tt_pv <= LOAD(e->depth) &&
                relative_age(tt, LOAD(e->age_pv_bound)) == 0;
    if (keep)
        return;
    STORE(e->tag, (uint16_t)key);
    STORE(e->score, (int16_t)(score == SCORE_NONE ? SCORE_NONE : score_to_tt(score, ply)));
    STORE(e->eval, (int16_t)eval);
    STORE(e->depth, (uint8_t)(depth + TT_DEPTH_OFFSET));
    STORE(e->age_pv_bound, (uint8_t)(tt->age | (tt_pv ? PV_BIT : 0) | bound));
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
