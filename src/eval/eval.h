/* The one door to every evaluation the strong search can use: the hand-made one and, when a net is
 * there, the net. An Evaluator is shared and does not change while searches run; an EvalContext
 * belongs to one thread and follows its position move by move. */
#ifndef EVAL_EVAL_H
#define EVAL_EVAL_H

#include "base/status.h"
#include "chess/position.h"
#include "eval/score.h"

typedef struct Evaluator Evaluator;
typedef struct EvalContext EvalContext;

/* The hand-made evaluation; a constant, never freed. */
const Evaluator *evaluator_handmade(void);

/* The evaluation to use when nobody asks for another: the net built into the program, or the
 * hand-made one in a program without a net. evaluator_close frees it. */
Status evaluator_default(const Evaluator **e, Message *why);

/* The net of a file; on failure *e is untouched and the message says what is wrong with the file. */
Status evaluator_load(const Evaluator **e, const char *path, Message *why);

/* By the name a user gives: "handmade", "default", or a net file. */
Status evaluator_find(const Evaluator **e, const char *name, Message *why);

/* Ends an evaluator that no context uses any more; the hand-made one and NULL are left alone. */
void evaluator_close(const Evaluator *e);

/* A short name for logs and the `id` of a net: "hand-made", "net-256x8-1a2b3c4d". */
const char *evaluator_name(const Evaluator *e);

/* The net inside; NULL for the hand-made evaluation. It lives as long as the evaluator. */
const struct Net *evaluator_net(const Evaluator *e);

/* A context for one thread; NULL when memory ran out. */
EvalContext *eval_open(const Evaluator *e);
void eval_close(EvalContext *c);

/* Begins at p, forgetting what was pushed. */
void eval_reset(EvalContext *c, const Position *p);

/* Told before pos_make(before, m) and after pos_unmake; a null move is told with MOVE_NULL. */
void eval_push(EvalContext *c, const Position *before, Move m);
void eval_pop(EvalContext *c);

/* The value of p, the position that reset and pushes have led to, for the side to move; within
 * +-SCORE_EVAL_MAX, and the same whatever was evaluated before. Not meaningful in check. */
Score eval_score(EvalContext *c, const Position *p);

/* -- Why: what the terms of an evaluation say, for people -- */

enum { EVAL_TRACE_MAX = 24 };

/* One named term: what each side gets from it in the middle game and in the endgame. */
typedef struct EvalTerm {
    const char *name;
    int mg[COLOR_COUNT], eg[COLOR_COUNT];
} EvalTerm;

typedef struct EvalTrace {
    EvalTerm terms[EVAL_TRACE_MAX];
    int count;
    int phase;    /* 0: endgame weights alone ... 24: middle-game weights alone */
    int scale;    /* how much of the endgame part counts, in 64ths */
    Score mop_up; /* White's minus Black's bonus for driving a bare king to its doom */
    Score total;  /* White's view, as eval_score would have it */
} EvalTrace;

/* Fills *out; the position must not be in check for the total to mean anything. A net has no terms
 * to tell: only its total is filled. */
void eval_trace(const Evaluator *e, const Position *p, EvalTrace *out);

#endif
