/* The transposition table (TT), shared by all threads without locks. Each field is read and written
 * by itself with relaxed atomics, so an entry may be torn between two writers: a TT move is tested
 * for legality, and a score is used for cutoffs and as an evaluation only. */
#ifndef SEARCH_TT_H
#define SEARCH_TT_H

#include "base/status.h"
#include "chess/position.h"
#include "search/search.h"

#include <stdatomic.h>

typedef struct TtEntry {
    _Atomic uint16_t tag;
    _Atomic uint16_t move;
    _Atomic int16_t score;
    _Atomic int16_t eval;
    _Atomic uint8_t depth;        /* + TT_DEPTH_OFFSET; 0: empty */
    _Atomic uint8_t age_pv_bound; /* 5 bits age, 1 bit tt_pv, 2 bits bound */
} TtEntry;

/* Depths as stored: qsearch just below zero, static evaluations without a score below that. */
enum { TT_DEPTH_OFFSET = 8, TT_DEPTH_QSEARCH = -1, TT_DEPTH_EVAL = -2 };

/* Three entries and two spare bytes: two clusters to a cache line. */
enum { TT_CLUSTER = 3 };
typedef struct TtCluster {
    TtEntry entry[TT_CLUSTER];
    uint16_t spare;
} TtCluster;

typedef struct TranspositionTable {
    TtCluster *clusters;
    size_t count;
    size_t mapped_bytes;
    uint8_t age;
} TranspositionTable;

/* What a probe found, and the entry that a later store replaces. */
typedef struct TtProbe {
    TtEntry *slot;
    bool hit;
    bool tt_pv; /* the position was on a PV */
    ScoreBound bound;
    Move move;
    int depth;
    Score score; /* ply-corrected; SCORE_NONE if unknown */
    Score eval;  /* raw static evaluation; SCORE_NONE if unknown */
} TtProbe;

/* An empty table; on failure the old one is unchanged. */
Status tt_resize(TranspositionTable *tt, size_t megabytes, Message *why);
/* Clears with `threads` threads. */
void tt_clear(TranspositionTable *tt, int threads);
void tt_free(TranspositionTable *tt);
void tt_new_search(TranspositionTable *tt);

static inline TtCluster *tt_cluster(const TranspositionTable *tt, Key key)
{
    return &tt->clusters[(size_t)(((unsigned __int128)key * tt->count) >> 64)];
}

static inline void tt_prefetch(const TranspositionTable *tt, Key key)
{
    __builtin_prefetch(tt_cluster(tt, key));
}

TtProbe tt_probe(const TranspositionTable *tt, Key key, int ply, int rule50);
void tt_store(const TranspositionTable *tt, TtEntry *slot, Key key, int ply, int depth, Score score,
              Score eval, ScoreBound bound, Move move, bool tt_pv);
int tt_hashfull(const TranspositionTable *tt);

#endif
