/* What the files of this folder share about evaluators. A new kind of evaluator is a row of
 * EvaluatorKind, its data in these two structs, and a case in each switch of eval.c. */
#ifndef EVAL_EVAL_INT_H
#define EVAL_EVAL_INT_H

#include "eval/classical/handmade.h"
#include "eval/eval.h"
#include "eval/nnue/nnue.h"

typedef enum EvaluatorKind { EVALUATOR_HANDMADE, EVALUATOR_NET } EvaluatorKind;

struct Evaluator {
    EvaluatorKind kind;
    const char *name;
    const HandmadeWeights *weights; /* hand-made */
    Net *net;                       /* net */
    const NnueKernels *kernels;
};

struct EvalContext {
    const Evaluator *evaluator;
    int depth; /* moves pushed and not yet popped */
    HandmadeCache *pawns;
    Nnue *nnue;
};

#endif
