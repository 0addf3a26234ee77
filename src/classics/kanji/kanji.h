/* Kanji's program (2014): the laboratory's search in play, with the techniques that its document adds one by one. */
#ifndef CLASSICS_KANJI_H
#define CLASSICS_KANJI_H

#include "opponent/opponent.h"

/* Settings: technique (the document's, and modern forms of two), utility (random, material, late), book (on, off). */
extern const OpponentOps kanji_ops;

#endif
