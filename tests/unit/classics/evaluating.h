/* Helpers for the tests of evaluators. */
#ifndef TESTS_CLASSICS_EVALUATING_H
#define TESTS_CLASSICS_EVALUATING_H

#include "classics/classic_eval.h"

/* A position worked out by hand: what one term must give each side. */
typedef struct HandWorked {
    const char *fen;
    const char *term;
    double white, black;
} HandWorked;

/* Fails the test when the position cannot be. */
Position evaluating_position(const char *fen);

/* Fails the test unless the term of that name, with the original's weights, gives
 * each side this. */
void evaluating_term(const ClassicEval *evaluator, const char *fen, const char *term, double white,
                     double black);

/* The same for many. */
void evaluating_check(const ClassicEval *evaluator, const HandWorked *rows, int count);

/* Fails unless both colours are evaluated alike: the position with colours exchanged has the same
 * score. */
void evaluating_check_mirror(const ClassicEval *evaluator, const char *const *fens, int count);

#endif
