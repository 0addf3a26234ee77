#include "eval/eval.h"

#include "eval/classical/classical.h"
#include "eval/endgame.h"
#include "eval/nnue/nnue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct Evaluator {
    const char *name;
    Net *net; /* NULL: the classical evaluation */
    const NnueKernels *kernels;
};

struct EvalContext {
    int depth; /* moves pushed and not yet popped */
    PawnTable *pawns;
    Nnue *nnue;
};

const Evaluator *evaluator_classical(void)
{
    static const Evaluator classical = {.name = "classical"};
    return &classical;
}

/* Takes ownership of the net. */
static Status evaluator_from_net(const Evaluator **out, Net *net, Message *why)
{
    Evaluator *e = calloc(1, sizeof *e);
    if (e == NULL) {
        net_free(net);
        return status_fail(why, STATUS_MEMORY, "not enough memory for an evaluator");
    }
    e->name = net->id;
    e->net = net;
    e->kernels = nnue_kernels(cpu_features());
    *out = e;
    return STATUS_OK;
}

Status evaluator_default(const Evaluator **e, Message *why)
{
    size_t len;
    const uint8_t *bytes = net_embedded(&len);
    if (bytes == NULL) {
        *e = evaluator_classical();
        return STATUS_OK;
    }
    Net *net;
    Status s = net_from_memory(&net, bytes, len, why);
    return s == STATUS_OK ? evaluator_from_net(e, net, why) : s;
}

Status evaluator_load(const Evaluator **e, const char *path, Message *why)
{
    Net *net;
    Status s = net_load(&net, path, why);
    return s == STATUS_OK ? evaluator_from_net(e, net, why) : s;
}

Status evaluator_find(const Evaluator **e, const char *name, Message *why)
{
    if (strcmp(name, "default") == 0)
        return evaluator_default(e, why);
    if (strcmp(name, "classical") != 0)
        return evaluator_load(e, name, why);
    *e = evaluator_classical();
    return STATUS_OK;
}

void evaluator_close(const Evaluator *e)
{
    if (e == NULL || e->net == NULL)
        return;
    net_free(e->net);
    free((void *)(uintptr_t)e);
}

const char *evaluator_name(const Evaluator *e)
{
    return e->name;
}

const Net *evaluator_net(const Evaluator *e)
{
    return e->net;
}

EvalContext *eval_open(const Evaluator *e)
{
    EvalContext *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    if (e->net)
        c->nnue = nnue_open(e->net, e->kernels);
    else
        c->pawns = calloc(1, sizeof *c->pawns);
    if (c->pawns == NULL && c->nnue == NULL) {
        free(c);
        return NULL;
    }
    return c;
}

void eval_close(EvalContext *c)
{
    if (c == NULL)
        return;
    free(c->pawns);
    nnue_close(c->nnue);
    free(c);
}

/* The classical evaluation is computed from the position alone. The depth is kept for every kind,
 * so that test builds detect a push without its pop. */
void eval_reset(EvalContext *c, const Position *p)
{
    c->depth = 0;
    if (c->nnue)
        nnue_reset(c->nnue, p);
}

void eval_push(EvalContext *c, const Position *before, Move m)
{
    c->depth++;
    if (c->nnue)
        nnue_push(c->nnue, before, m);
}

void eval_pop(EvalContext *c)
{
    assert(c->depth > 0);
    c->depth--;
    if (c->nnue)
        nnue_pop(c->nnue);
}

Score eval_score(EvalContext *c, const Position *p)
{
    if (c->nnue)
        return endgame_scale(p, nnue_score(c->nnue, p));
    return classical_score(c->pawns, p);
}

void eval_trace(const Evaluator *e, const Position *p, EvalTrace *out)
{
    if (e->net == NULL) {
        classical_trace(p, out);
        return;
    }
    EvalContext *c = eval_open(e);
    *out = (EvalTrace){0};
    if (c == NULL)
        return;
    eval_reset(c, p);
    out->total = p->side == WHITE ? eval_score(c, p) : -eval_score(c, p);
    eval_close(c);
}
