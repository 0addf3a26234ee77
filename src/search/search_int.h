/* What the files of the search share: the pool (all threads), the worker (one thread), the search
 * stack (one entry per ply), the node (one visit of a position) and the move being searched. */
#ifndef SEARCH_SEARCH_INT_H
#define SEARCH_SEARCH_INT_H

#include "base/clock.h"
#include "base/thread.h"
#include "search/history.h"
#include "search/params.h"
#include "search/search.h"
#include "search/time_management.h"
#include "search/tt.h"

#include <stdatomic.h>

enum { STACK_BEFORE_ROOT = 8 }; /* entries that continuation histories read before the root */

/* One entry of the search stack. It outlives the node, so that children and re-searches read it. */
typedef struct SearchStack {
    Move move; /* being searched from here; may be MOVE_NONE or MOVE_NULL */
    ContinuationHistory *continuation_history;    /* of that move */
    ContinuationHistory *continuation_correction; /* correction history of that move */
    Score static_eval;                            /* corrected; SCORE_NONE in check */
    Move killer;                                  /* the last quiet move that failed high here */
    int cutoff_count;                             /* fail highs among the children of the parent */
    int move_count;                               /* number of the move being searched */
    int reduction; /* of the move being searched, in 1024ths of a ply */
    bool in_check, tt_pv;
    int pv_length;
    Move pv[MAX_PLY + 1];
} SearchStack;

/* Moves searched without a cutoff: they get a malus when a later move fails high. */
enum { TRIED_MOVES_MAX = 32 };
typedef struct TriedMoves {
    Move moves[TRIED_MOVES_MAX];
    int count;
} TriedMoves;

typedef struct SearchNode {
    /* Set by the parent. */
    SearchStack *ss;
    int ply, depth;
    Score alpha, beta;
    bool pv_node;  /* searched with an open window */
    bool cut_node; /* expected to fail high */
    Move excluded; /* the move left out by a singular search */

    /* Set on the way. */
    TtProbe tt;
    Key key; /* of the TT entry */
    bool in_check, improving, tt_move_noisy, tt_pv;
    Score raw_eval, eval; /* as evaluated; corrected, and replaced by a tighter TT score */
    Score max_score;      /* upper bound from a tablebase */
    Bitboard threats;     /* squares attacked by the opponent */

    /* The result. */
    Score score; /* of a node that returns before its moves are searched */
    Score best_score, original_alpha;
    Move best_move;
    int move_count; /* legal moves seen */
    TriedMoves quiets, noisies;
} SearchNode;

/* The move being searched. */
typedef struct MoveContext {
    Move move;
    Piece piece;
    bool noisy, gives_check;
    int history;
    int new_depth;
    int number; /* 1 for the first move of the node */
    Score score;
    uint64_t nodes_before;
    Undo undo;
} MoveContext;

typedef struct RootMove {
    Move move;
    Score score, previous, average;
    Score shown; /* the last score that was a bound or exact, for reports */
    ScoreBound bound;
    int seldepth;
    int tb_rank;
    Score tb_score;
    uint64_t nodes;
    int pv_length;
    Move pv[MAX_PLY + 1];
} RootMove;

typedef struct SearchWorker {
    SearchPool *pool;
    int id; /* 0: the main thread, which watches the time and reports */
    SearchParams params;
    const TranspositionTable *tt;
    EvalContext *eval;
    Histories *history;

    Position pos;
    _Atomic uint64_t nodes, tb_hits;
    bool stopped;        /* this worker has seen the stop request */
    int check_countdown; /* nodes until the limits are checked */
    int seldepth;
    int root_depth;
    bool mate_search;     /* go mate: full width, no pruning or reduction */
    bool disable_lmp;     /* no late move pruning */
    int null_blocked_ply; /* no null move before this ply: a verification search is running */

    RootMove *root;
    int root_count, pv_index;
    int completed_depth;
    int stable_iterations;   /* since the best move changed */
    bool has_line;           /* root[0] has a searched score */
    bool pv_lacks_mate;      /* the last reported PV ends before the tablebase mate */
    bool final_report;       /* the search is over: this report is the last */
    int64_t pv_extension_ns; /* spent on extending PVs with tablebases */

    SearchStack *stack; /* the entry at ply 0 */
    SearchStack stack_memory[MAX_PLY + STACK_BEFORE_ROOT + 4];
} SearchWorker;

struct SearchPool {
    TranspositionTable tt;
    const Evaluator *evaluator;
    SearchWorker **workers;
    Thread *threads;
    int count;

    Mutex lock;             /* guards the four below */
    Condition start;        /* a search is to be started, or the threads are to end */
    Condition changed;      /* a search has changed: stop, ponderhit, a thread or all are done */
    uint64_t search_number; /* of the search that was started last */
    int active;             /* workers still searching */
    bool searching, quit;

    _Atomic bool stop, pondering;
    Position root;
    SearchLimits limits;
    SearchOptions options;
    SearchEvents events;
    SearchParams params;
    TimeLimits time;
    LagEstimate lag;
    StallMeter stalls;    /* written by the main thread */
    RootMove *root_moves; /* the list that every worker starts with */
    int root_count;
    bool root_in_tb;
    SearchResult result;
};

/* -- thread_pool.c: the threads -- */
Status thread_pool_start(SearchPool *pool, int wanted, Message *why);
void thread_pool_stop(SearchPool *pool);
void thread_pool_search(SearchPool *pool);      /* hands the search in `pool` over to all threads */
void thread_pool_search_here(SearchPool *pool); /* with one worker, in the calling thread */

/* -- limits.c: when to stop -- */
void pool_check_limits(SearchPool *pool, SearchWorker *w); /* requests a stop at a limit */
void pool_request_stop(SearchPool *pool);                  /* ignored by infinite and ponder */
uint64_t pool_nodes(const SearchPool *pool);
uint64_t pool_tb_hits(const SearchPool *pool);

/* -- root_moves.c -- */
void root_moves_init(SearchPool *pool);
RootMove *root_move_find(SearchWorker *w, Move m);
void root_moves_sort(SearchWorker *w, int from, int end);
void root_move_update(SearchWorker *w, const SearchNode *n, const MoveContext *mc);

/* -- best_thread.c: the lazy SMP vote -- */
SearchResult best_thread_result(SearchPool *pool);

/* -- iterative_deepening.c, aspiration.c, root_report.c -- */
void iterative_deepening(SearchWorker *w);
void aspiration_search(SearchWorker *w, int depth);
void root_report(SearchWorker *w, int depth);
bool root_report_is_due(const SearchWorker *w); /* details are reported after some seconds only */
void root_report_move(const SearchWorker *w, Move m, int number);

/* -- extend_pv.c: PVs of tablebase positions continued to the mate -- */
typedef struct ExtendedPv {
    Move moves[MAX_PLY];
    int length;
} ExtendedPv;

/* False when there is no time for it, or no mate was reached. The worker is at the root. */
bool extend_pv(SearchWorker *w, const RootMove *r, ExtendedPv *out);

/* -- node.c, qsearch.c. Both return 0 when stopped; the caller checks w->stopped. -- */
Score search_node(SearchWorker *w, SearchNode *n);
Score qsearch(SearchWorker *w, SearchNode *n);

/* -- node_common.c: shared by search_node and qsearch -- */
void node_enter(SearchWorker *w, SearchNode *n);
void node_find_threats(SearchWorker *w, SearchNode *n); /* before the butterfly history is used */
bool node_try_return(SearchWorker *w, SearchNode *n);   /* stop, draw, last ply, mate distance */
bool node_return(SearchNode *n, Score score);           /* sets the score; always true */
void node_tt_probe(SearchWorker *w, SearchNode *n);
void node_tt_store(SearchWorker *w, const SearchNode *n, int depth, Score score, ScoreBound bound,
                   Move m);
bool tt_score_cuts(const SearchNode *n, int depth);
void node_static_eval(SearchWorker *w, SearchNode *n);
void node_set_pv(SearchNode *n, Move m);
void make_move(SearchWorker *w, SearchNode *n, MoveContext *mc);
void unmake_move(SearchWorker *w, MoveContext *mc);

/* -- tb_cutoff.c -- */
bool tb_cutoff(SearchWorker *w, SearchNode *n);

/* -- correction_history.c -- */
Score correction_history_apply(SearchWorker *w, const SearchNode *n, Score raw);
void correction_history_update(SearchWorker *w, const SearchNode *n);

/* -- pruning.c: whole nodes; move_pruning.c: single moves -- */
bool prune_node(SearchWorker *w, SearchNode *n);
typedef struct MovePicker MovePicker;
bool prune_move(SearchWorker *w, SearchNode *n, MovePicker *p, const MoveContext *mc);

/* -- extensions.c, lmr.c -- */
bool singular_extension(SearchWorker *w, SearchNode *n, MoveContext *mc);
int lmr_reduction(SearchWorker *w, const SearchNode *n, const MoveContext *mc);
int lmr_base_reduction(const SearchWorker *w, int depth, int number, bool noisy);

/* -- history.c -- */
void history_update(SearchWorker *w, SearchNode *n);
void history_update_tt_cutoff(SearchWorker *w, SearchNode *n);
void continuation_history_update(const SearchStack *ss, Piece piece, Square to, int bonus);
int quiet_history(SearchWorker *w, const SearchNode *n, Move m);

/* Captures and promotions: the moves that GEN_NOISY generates. */
static inline bool move_is_noisy(const Position *p, Move m)
{
    return pos_is_capture(p, m) || move_is_promotion(m);
}

static inline bool pool_should_stop(const SearchPool *pool)
{
    return atomic_load_explicit(&pool->stop, memory_order_relaxed);
}

static inline bool pool_is_pondering(const SearchPool *pool)
{
    return atomic_load_explicit(&pool->pondering, memory_order_relaxed);
}

static inline int64_t pool_elapsed_ms(const SearchPool *pool)
{
    return clock_now_ms() - pool->limits.start_ms;
}

static inline uint64_t worker_nodes(const SearchWorker *w)
{
    return atomic_load_explicit(&w->nodes, memory_order_relaxed);
}

/* A stop waits for the first iteration, so that there is a searched move to play. In positions with
 * many queens that iteration may take long: after so many nodes any move is accepted. */
enum { FIRST_ITERATION_NODES = 8192 };

static inline bool worker_may_stop(const SearchWorker *w)
{
    return w->has_line || worker_nodes(w) > FIRST_ITERATION_NODES;
}

static inline int clamp_int(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

#endif
