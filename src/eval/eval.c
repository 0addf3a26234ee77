#include "eval/eval.h"

#include <assert.h>

#include "eval/eval_int.h"

const Evaluator *evaluator_handmade(void)
{
    static const Evaluator handmade = {EVALUATOR_HANDMADE, "hand-made", &handmade_weights};
    return &handmade;
}

const char *evaluator_name(const Evaluator *e)
{
    return e->name;
}

EvalContext *eval_open(const Evaluator *e)
{
    EvalContext *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->evaluator = e;
    switch (e->kind) {
    case EVALUATOR_HANDMADE:
        c->pawns = calloc(1, sizeof *c->pawns);
        if (c->pawns == NULL) {
            free(c);
            return NULL;
        }
        break;
    }
    return c;
}

void eval_close(EvalContext *c)
{
    if (c == NULL)
        return;
    free(c->pawns);
    free(c);
}

/* The hand-made evaluation reads everything from the position: only the depth is kept, so that a
 * push without its pop is noticed in test builds whatever evaluator runs. */
void eval_reset(EvalContext *c, const Position *p)
{
    (void)p;
    c->depth = 0;
}

void eval_push(EvalContext *c, const Position *before, Move m)
{
    (void)before;
    (void)m;
    c->depth++;
}

void eval_pop(EvalContext *c)
{
    assert(c->depth > 0);
    c->depth--;
}

Score eval_score(EvalContext *c, const Position *p)
{
    switch (c->evaluator->kind) {
    case EVALUATOR_HANDMADE:
        return handmade_score(c->evaluator->weights, c->pawns, p);
    }
    return SCORE_DRAW;
}

void eval_trace(const Evaluator *e, const Position *p, EvalTrace *out)
{
    switch (e->kind) {
    case EVALUATOR_HANDMADE:
        handmade_trace(e->weights, p, out);
        break;
    }
}
