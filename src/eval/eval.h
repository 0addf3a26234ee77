/* The interface of all evaluations: the classical one and NNUE. An Evaluator is shared and does not
 * change while searches run; an EvalContext belongs to one thread and follows its position move by
 * move. */
#ifndef EVAL_EVAL_H
#define EVAL_EVAL_H

#include "base/status.h"
#include "chess/position.h"
#include "eval/score.h"

typedef struct Evaluator Evaluator;
typedef struct EvalContext EvalContext;

/* The classical evaluation; a constant, not freed. */
const Evaluator *evaluator_classical(void);

/* The default: the embedded net, or the classical evaluation in a program without a net.
 * evaluator_close frees it. */
Status evaluator_default(const Evaluator **e, Message *why);

/* Loads a net file; on failure *e is unchanged. */
Status evaluator_load(const Evaluator **e, const char *path, Message *why);

/* By name: "classical", "default", or a net file. */
Status evaluator_find(const Evaluator **e, const char *name, Message *why);

/* Frees an evaluator that no context uses; the classical one and NULL are ignored. */
void evaluator_close(const Evaluator *e);

/* A short name for logs and the `id` of a net: "classical", "net-256x8-1a2b3c4d". */
const char *evaluator_name(const Evaluator *e);

/* The net inside; NULL for the classical evaluation. It lives as long as the evaluator. */
const struct Net *evaluator_net(const Evaluator *e);

/* A context for one thread; NULL when memory ran out. */
EvalContext *eval_open(const Evaluator *e);
void eval_close(EvalContext *c);

/* Starts at p with an empty stack of moves. */
void eval_reset(EvalContext *c, const Position *p);

/* eval_push is called before pos_make(before, m), eval_pop after pos_unmake; a null move is
 * MOVE_NULL. */
void eval_push(EvalContext *c, const Position *before, Move m);
void eval_pop(EvalContext *c);

/* The value of p, the position after the pushed moves, from the view of the side to move; within
 * +-SCORE_EVAL_MAX, independent of earlier calls. Not meaningful in check. */
Score eval_score(EvalContext *c, const Position *p);

/* -- Trace: the terms of the classical evaluation -- */

enum { EVAL_TRACE_MAX = 24 };

/* One term: its middlegame and endgame value for each side. */
typedef struct EvalTerm {
    const char *name;
    int mg[COLOR_COUNT], eg[COLOR_COUNT];
} EvalTerm;

typedef struct EvalTrace {
    EvalTerm terms[EVAL_TRACE_MAX];
    int count;
    int phase;    /* 0: endgame values only ... 24: middlegame values only */
    int scale;    /* endgame scale factor, in 64ths */
    Score mop_up; /* White's minus Black's mop-up bonus */
    Score total;  /* eval_score from White's view */
} EvalTrace;

/* Fills *out. The position must not be in check. A net has no terms: only the total is filled. */
void eval_trace(const Evaluator *e, const Position *p, EvalTrace *out);

#endif
