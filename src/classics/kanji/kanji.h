/* Kanji's program (2014): the laboratory's search in play, with the techniques that its document adds one by one. */
#ifndef CLASSICS_KANJI_H
#define CLASSICS_KANJI_H

#include "lab/lab.h"
#include "opponent/opponent.h"

typedef struct KanjiSetup {
    unsigned switches; /* of LabSwitch */
    int depth;         /* that the document found practical with these */
    bool book;
} KanjiSetup;

extern const OpponentOps kanji_ops;
extern const KanjiSetup kanji_whole, kanji_minimax, kanji_alphabeta, kanji_table, kanji_order,
    kanji_null, kanji_quiescence;

#endif
