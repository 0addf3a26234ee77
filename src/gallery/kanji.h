/* Kanji's program (2014): the laboratory's search in play, with the techniques that its document adds one by one. */
#ifndef GALLERY_KANJI_H
#define GALLERY_KANJI_H

#include "gallery/lab.h"
#include "gallery/opponent.h"

typedef struct KanjiSetup {
    unsigned switches; /* of LabSwitch */
    int depth;         /* that the document found practical with these */
    bool book;
} KanjiSetup;

extern const OpponentMind kanji_mind;
extern const KanjiSetup kanji_whole, kanji_minimax, kanji_alphabeta, kanji_table, kanji_order,
    kanji_null, kanji_quiescence;

#endif
