/* Annotation glyphs written as text: "!?", "+-". */
#ifndef NOTATION_PGN_GLYPH_INT_H
#define NOTATION_PGN_GLYPH_INT_H

#include "base/text.h"

/* The NAG of a glyph; -1 for marks that are ignored ("+", "e.p."). False for other texts. */
bool pgn_glyph_find(Span s, int *nag);

/* The start of a glyph at the end of a move ("Nf3+-", "Nf3+/-"), or `end`. A check sign is not one.
 * */
const char *pgn_glyph_start(const char *word, const char *end);

#endif
