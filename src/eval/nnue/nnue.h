/* The net at work for one thread: it follows a position move by move and evaluates it. A move is
 * only noted when it is made; accumulators are brought up to date when a value is asked for, from
 * the nearest ancestor that has them. When a king comes to another half of the board or king bucket
 * that side's accumulator starts from the refresh cache, which keeps the last board seen in each
 * view. */
#ifndef EVAL_NNUE_NNUE_H
#define EVAL_NNUE_NNUE_H

#include "chess/position.h"
#include "eval/nnue/kernels.h"
#include "eval/nnue/net.h"
#include "eval/score.h"

typedef struct Nnue Nnue;

/* NULL when memory ran out. The net stays the caller's and must outlive this. */
Nnue *nnue_open(const Net *net, const NnueKernels *kernels);
void nnue_close(Nnue *n);

/* As eval_reset, eval_push, eval_pop and eval_score in eval/eval.h. */
void nnue_reset(Nnue *n, const Position *p);
void nnue_push(Nnue *n, const Position *before, Move m);
void nnue_pop(Nnue *n);
Score nnue_score(Nnue *n, const Position *p);

/* The layers of an output bucket, of nets that have them. */
NnueLayers nnue_layers(const Net *net, int bucket);

/* The value for two accumulators, that of the side to move first, and a number of pieces. */
Score nnue_output(const Net *net, const NnueKernels *kernels, const int16_t *us,
                  const int16_t *them, int pieces);

#endif
