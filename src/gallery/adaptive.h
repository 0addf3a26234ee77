/* The adaptive program (2011): alpha-beta over two plies, and four weights. It takes a draw when it stands
 * worse. */
#ifndef GALLERY_ADAPTIVE_H
#define GALLERY_ADAPTIVE_H

#include "gallery/adaptive_eval.h"
#include "gallery/opponent.h"

typedef struct AdaptiveSetup {
    int weights[ADAPTIVE_WEIGHTS];
} AdaptiveSetup;

extern const OpponentMind adaptive_mind;
extern const AdaptiveSetup adaptive_first; /* as the program was shipped */

/* Puts moves in the order in which the original tried them: the first of several best ones is played. */
void adaptive_order(const Position *p, Move *moves, int count);

#endif
