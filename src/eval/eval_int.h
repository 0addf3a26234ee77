/* Evaluators inside. A new kind is a value of EvaluatorKind, its data in these two structs, and a
 * case in each switch of eval.c. */
#ifndef EVAL_EVAL_INT_H
#define EVAL_EVAL_INT_H

#include "eval/classical/classical.h"
#include "eval/eval.h"
#include "eval/nnue/nnue.h"

typedef enum EvaluatorKind { EVALUATOR_CLASSICAL, EVALUATOR_NET } EvaluatorKind;

struct Evaluator {
    EvaluatorKind kind;
    const char *name;
    const ClassicalWeights *weights; /* classical */
    Net *net;                        /* net */
    const NnueKernels *kernels;
};

struct EvalContext {
    const Evaluator *evaluator;
    int depth; /* moves pushed and not yet popped */
    PawnTable *pawns;
    Nnue *nnue;
};

#endif
