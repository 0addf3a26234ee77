/* A file with the weights of an evaluator: a line with the evaluator's name, then a line for each
 * weight with its name and value. `castellan evolve --weights` writes it, and the opponents that
 * take weights read it. */
#ifndef CLASSICS_CLASSIC_WEIGHTS_H
#define CLASSICS_CLASSIC_WEIGHTS_H

#include "classics/classic_eval.h"

/* All of the evaluator's weights must be there, within their ranges; the message names the file and
 * the offending text. */
Status classic_weights_load(const ClassicEval *evaluator, Span path,
                            int weights[CLASSIC_EVAL_MAX_WEIGHTS], Message *why);
Status classic_weights_read(const ClassicEval *evaluator, Span text,
                            int weights[CLASSIC_EVAL_MAX_WEIGHTS], Message *why);

Status classic_weights_save(const ClassicEval *evaluator, const int *weights, const char *path,
                            Message *why);

#endif
