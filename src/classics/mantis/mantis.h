/* Chess Mantis (2008): one program, whose analyser and evaluator are chosen by name and apart from
 * each other, with a switch that adds chance to every evaluation. */
#ifndef CLASSICS_MANTIS_H
#define CLASSICS_MANTIS_H

#include "opponent/opponent.h"

/* Settings: analyser (alphabeta, minimax), evaluator (marmoset to mantis), random (off, on). */
extern const OpponentOps mantis_ops;

#endif
