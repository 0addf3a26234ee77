/* What the files of the search share: a worker (one thread's whole world), a ply (one level of its
 * stack), a node (one visit of a position) and a step (one move tried there). */
#ifndef SEARCH_SEARCH_INT_H
#define SEARCH_SEARCH_INT_H

#include "search/history.h"
#include "search/params.h"
#include "search/search.h"
#include "search/timing.h"
#include "search/tt.h"

#include <stdatomic.h>

enum { STACK_BELOW = 8 }; /* plies before the root that continuation histories may look at */

/* One level of the stack: outlives the visits, so that children and re-searches can look at it. */
typedef struct Ply {
    Move move;             /* being searched from here; MOVE_NONE or MOVE_NULL included */
    ReplyHistory *reply;   /* scores of replies to that move */
    ReplyHistory *correct; /* corrections after that move */
    Score eval;            /* corrected static evaluation; SCORE_NONE in check */
    Move killer;           /* the last quiet move that cut here */
    int cutoffs;           /* how often children of the parent's visit were cut off */
    int number;            /* of the move being searched */
    int reduction;         /* it was reduced by, in 1024ths */
    bool in_check, was_pv;
    int pv_length;
    Move pv[MAX_PLY + 1];
} Ply;

/* Moves tried and found wanting, to be punished when another one cuts. */
enum { TRIED_MAX = 32 };
typedef struct Tried {
    Move moves[TRIED_MAX];
    int count;
} Tried;

typedef struct Node {
    /* Set by the parent. */
    Ply *at;
    int ply, depth;
    Score alpha, beta;
    bool pv;       /* the window is open */
    bool cut;      /* expected to fail high */
    Move excluded; /* left out, to see whether it is the only good one */

    /* Found out on the way. */
    TtProbe tt;
    Key key; /* of the table entry */
    bool in_check, improving, tt_noisy, was_pv;
    Score raw_eval, eval; /* uncorrected; corrected and sharpened by the table */
    Score ceiling;        /* a tablebase's upper bound */
    Bitboard threats;     /* squares the opponent attacks */

    /* The verdict. */
    Score score; /* when a verdict ends the visit early */
    Score best, alpha_at_start;
    Move best_move;
    int count; /* legal moves seen */
    Tried quiets, noisies;
} Node;

typedef struct Step {
    Move move;
    Piece piece;
    bool noisy, check;
    int history;
    int new_depth;
    int number;
    Score score;
    uint64_t nodes_before;
    Undo undo;
} Step;

typedef struct RootMove {
    Move move;
    Score score, previous, average;
    Score shown; /* within the aspiration window when it failed */
    ScoreBound bound;
    int seldepth;
    int tb_rank;
    Score tb_score;
    uint64_t nodes;
    int pv_length;
    Move pv[MAX_PLY + 1];
} RootMove;

typedef struct Worker {
    SearchPool *pool;
    int id;
    SearchParams params;
    const TranspositionTable *tt;
    EvalContext *eval;
    Histories *history;

    Position pos;
    _Atomic uint64_t nodes, tb_hits;
    bool stopped;        /* this worker has noticed the stop */
    int check_countdown; /* nodes until the clock is looked at */
    int seldepth;
    int root_depth;
    bool proving;         /* asked for a mate in so many moves: nothing may be left out */
    bool late_moves;      /* no move is left out for coming late in the order */
    int null_blocked_ply; /* no null move before this ply: a verification search is under way */

    RootMove *root;
    int root_count, pv_index;
    int completed_depth;
    int stable_iterations; /* since the best move changed */
    bool has_line;         /* at least one iteration has set root[0] */
    bool owes_mate;        /* the line told last stops before the mate the tables promise */
    bool last_line;        /* the search is over, what is told now stays */
    int64_t extending_ns;  /* spent on leading lines to the mate */

    Ply *stack; /* at ply 0; STACK_BELOW more lie before it */
    Ply plies[MAX_PLY + STACK_BELOW + 4];
} Worker;

struct SearchPool;

/* -- pool.c -- */
bool pool_should_stop(const SearchPool *pool);
void pool_check_limits(SearchPool *pool, Worker *w); /* asks for a stop when a limit is reached */
const SearchLimits *pool_limits(const SearchPool *pool);
const SearchOptions *pool_options(const SearchPool *pool);
const SearchEvents *pool_events(const SearchPool *pool);
TimeBudget *pool_budget(SearchPool *pool);
int64_t pool_elapsed_ms(const SearchPool *pool);
uint64_t pool_nodes(const SearchPool *pool);
uint64_t pool_tb_hits(const SearchPool *pool);
bool pool_root_in_tb(const SearchPool *pool);
void pool_request_stop(SearchPool *pool);
bool pool_is_pondering(const SearchPool *pool);

/* -- root.c: iterative deepening -- */
void root_search(Worker *w);
RootMove *root_find(Worker *w, Move m);
void root_report(Worker *w, int depth);
void root_tell_move(const Worker *w, Move m, int number); /* the next to be searched */

/* -- extend_pv.c: lines led on to the mate, for positions in the tables -- */
typedef struct ExtendedPv {
    Move moves[MAX_PLY];
    int length;
} ExtendedPv;

/* False when there is no time for it, or no mate was reached. The worker stands at the root. */
bool extend_pv(Worker *w, const RootMove *r, ExtendedPv *out);

/* -- node.c, quiesce.c: the search proper. Returns 0 when stopped; the caller looks at w->stopped. -- */
Score node_search(Worker *w, Node *n);
Score quiesce_search(Worker *w, Node *n);

/* -- node_common.c: what full and quiescence nodes share -- */
void node_enter(Worker *w, Node *n);
bool node_is_settled(Worker *w, Node *n);
bool node_is_drawn(Worker *w, Node *n);
bool node_table_cuts(const Node *n, int depth);
void node_look_up(Worker *w, Node *n);
void node_static_eval(Worker *w, Node *n);
void node_set_pv(Node *n, Move m);
void node_store(Worker *w, const Node *n, int depth, Score score, ScoreBound bound, Move m);
void step_make(Worker *w, Node *n, Step *s);
void step_unmake(Worker *w, Node *n, Step *s);
Score draw_score(const Worker *w);

/* -- correction.c -- */
int correction_of(Worker *w, const Node *n);
Score correction_apply(Worker *w, const Node *n, Score raw);
void correction_learn(Worker *w, const Node *n);

/* -- prune.c: verdicts on whole nodes and on single moves -- */
bool node_prune(Worker *w, Node *n);
typedef struct Picker Picker;
bool step_prune(Worker *w, Node *n, Picker *p, const Step *s);

/* -- extend.c, reduce.c -- */
bool step_extend(Worker *w, Node *n, Step *s);
int step_reduction(Worker *w, const Node *n, const Step *s);
int reduction_base(const Worker *w, int depth, int number, bool noisy);

/* -- record.c: histories -- */
void record_cutoff(Worker *w, Node *n);
void record_table_cutoff(Worker *w, const Node *n);
void record_reply(const Ply *at, Piece piece, Square to, int bonus);
int quiet_history(Worker *w, const Node *n, Move m);

/* -- probe_tb.c -- */
bool node_probe_tb(Worker *w, Node *n);

/* Captures and promotions: just what GEN_NOISY generates. */
static inline bool move_is_noisy(const Position *p, Move m)
{
    return pos_is_capture(p, m) || move_is_promotion(m);
}

static inline uint64_t worker_nodes(const Worker *w)
{
    return atomic_load_explicit(&w->nodes, memory_order_relaxed);
}

/* A stop waits for the first iteration, so that there is a move to play. It is over at once, unless a board
 * full of queens makes it long: then any move must do. */
enum { PATIENCE_NODES = 8192 };

static inline bool worker_may_stop(const Worker *w)
{
    return w->has_line || worker_nodes(w) > PATIENCE_NODES;
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
