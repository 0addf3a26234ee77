/* Chess Mantis (2008): one program, whose analyser and evaluator are chosen by name. */
#ifndef CLASSICS_MANTIS_H
#define CLASSICS_MANTIS_H

#include "classics/classic_eval.h"
#include "opponent/opponent.h"

typedef struct MantisSetup {
    const ClassicEval *evaluator; /* NULL: marmoset, who leaves it to chance */
    bool minimax;                 /* the analyser; else alpha-beta */
    bool random;                  /* the switch of that name */
    bool blind;                   /* an evaluator without mates */
} MantisSetup;

extern const OpponentOps mantis_ops;
extern const MantisSetup mantis_marmoset, mantis_capuchin, mantis_sifaka, mantis_macaque,
    mantis_mantis, mantis_minimax, mantis_random;

#endif
