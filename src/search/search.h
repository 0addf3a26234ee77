/* The search: a pool of threads that searches one position at a time and reports through callbacks.
 * It does not print. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/status.h"
#include "chess/position.h"
#include "eval/eval.h"
#include "tb/tb.h"

typedef struct SearchPool SearchPool;

enum { SEARCH_NO_LIMIT = 0, SEARCH_MAX_THREADS = 1024, SEARCH_MAX_MULTIPV = 256 };

/* When a search ends. Zero means no such limit; a clock counts where has_clock is set. */
typedef struct SearchLimits {
    bool has_clock[COLOR_COUNT]; /* clock_ms is set for this colour (0 or less is valid) */
    int64_t clock_ms[COLOR_COUNT];
    int64_t increment_ms[COLOR_COUNT];
    int moves_to_go;
    int64_t move_time_ms;
    int depth;
    int mate; /* search for a mate in this many moves */
    uint64_t nodes;
    uint64_t soft_nodes;  /* checked between iterations: for self-play */
    bool disable_lmp;     /* no late move pruning: better scores, worse play */
    bool infinite;        /* until search_stop */
    bool ponder;          /* like infinite until search_ponderhit, then the clock counts */
    Move only[MAX_MOVES]; /* searchmoves: the root moves to search; all when only_count is 0 */
    int only_count;
    int64_t start_ms; /* clock_now_ms() when the request arrived; 0: now */
} SearchLimits;

typedef struct SearchOptions {
    int multi_pv;             /* 1 ... */
    int64_t move_overhead_ms; /* kept back on every move */
    bool ponder_allowed;      /* the GUI may ponder: the soft limit is larger */
    Tablebases *tb;           /* may be NULL */
    int tb_probe_depth;
    int tb_probe_limit; /* pieces */
    bool tb_rule50;
} SearchOptions;

typedef enum ScoreBound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } ScoreBound;

/* One reported PV. Points into the search's memory: valid during the callback only. */
typedef struct SearchLine {
    int depth, seldepth;
    int multipv; /* 1 for the best line */
    Score score; /* internal units; score_to_cp (search/wdl.h) converts it for GUIs */
    ScoreBound bound;
    uint64_t nodes, tb_hits;
    int64_t time_ms;
    int hashfull; /* permille */
    const Move *pv;
    int pv_length;
} SearchLine;

typedef struct SearchResult {
    Move best;   /* MOVE_NONE when there is no legal move */
    Move ponder; /* MOVE_NONE when unknown */
    Score score; /* of the best line; mate or 0 when there is no legal move */
    int depth, seldepth;
    uint64_t nodes, tb_hits;
    int64_t time_ms;
} SearchResult;

/* Called from a search thread, one at a time. Any may be NULL. */
typedef struct SearchEvents {
    void *user;
    void (*line)(void *user, const SearchLine *line);
    void (*current_move)(void *user, int depth, Move m, int number); /* only after 3 s */
    void (*done)(void *user, const SearchResult *result);            /* once per search, last */
} SearchEvents;

/* A pool with one thread and a transposition table of hash_mb. */
Status search_create(SearchPool **pool, const Evaluator *evaluator, unsigned hash_mb, Message *why);
void search_destroy(SearchPool *pool); /* stops a running search */

/* The setters wait for a running search to end; on failure nothing changes. */
Status search_set_threads(SearchPool *pool, int threads, Message *why);
Status search_set_hash(SearchPool *pool, size_t megabytes, Message *why);
Status search_set_evaluator(SearchPool *pool, const Evaluator *evaluator, Message *why);
void search_clear(SearchPool *pool); /* clears the TT and the histories: a new game */

/* Sets a row of search/params.def, for tuners; false in release builds, where all are constants. */
bool search_set_param(SearchPool *pool, int row, int value);

/* Starts a search and returns at once. The position (with its history) is copied. Waits for a
 * running search to end. */
void search_start(SearchPool *pool, const Position *p, const SearchLimits *limits,
                  const SearchOptions *options, const SearchEvents *events);
void search_stop(SearchPool *pool);      /* requests an end; nothing happens when idle */
void search_ponderhit(SearchPool *pool); /* the expected move was played: the clock counts now */
void search_wait(SearchPool *pool);      /* until the search is over and `done` has returned */
bool search_running(SearchPool *pool);

/* search_start and search_wait. With one thread the search runs in the calling thread: events are
 * reported from there, and a stack of some MB is needed. */
SearchResult search_run(SearchPool *pool, const Position *p, const SearchLimits *limits,
                        const SearchOptions *options, const SearchEvents *events);

/* Nodes searched so far by the running or last search. */
uint64_t search_nodes(const SearchPool *pool);

#endif
