/* Chess Mantis (2008): one program, whose analyser and evaluator are chosen by name. */
#ifndef GALLERY_MANTIS_H
#define GALLERY_MANTIS_H

#include "gallery/judge.h"
#include "gallery/opponent.h"

typedef struct MantisSetup {
    const Judge *judge; /* NULL: marmoset, who leaves it to chance */
    bool minimax;       /* the analyser; else alpha-beta */
    bool random;        /* the switch of that name */
    bool blind;         /* an evaluator without mates */
} MantisSetup;

extern const OpponentMind mantis_mind;
extern const MantisSetup mantis_marmoset, mantis_capuchin, mantis_sifaka, mantis_macaque,
    mantis_mantis, mantis_minimax, mantis_random;

#endif
