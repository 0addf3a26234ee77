/* Kanji's program (2014): the laboratory's search in play, with the techniques that its document
 * adds one by one. */
#ifndef CLASSICS_KANJI_H
#define CLASSICS_KANJI_H

#include "lab/lab.h"
#include "opponent/opponent.h"

/* Settings: technique (the document's, and modern forms of two), utility (random, material, late),
 * book (on, off), maxdepth (the document's MAXDEPTH; 0: what the technique makes practical). */
extern const OpponentOps kanji_ops;

/* What the settings of an opponent of this kind say. */
typedef struct KanjiConfig {
    unsigned switches; /* of LabSwitch */
    int depth;         /* of the last iteration */
    LabUtility utility;
    bool book;
} KanjiConfig;

KanjiConfig kanji_config(const Opponent *o);

#endif
