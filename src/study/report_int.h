/* What the files of the page share. */
#ifndef STUDY_REPORT_INT_H
#define STUDY_REPORT_INT_H

#include "study/review.h"

/* The files under data/ that the page is made of, as they lie inside the program. */
Span report_pieces(void);
Span report_style(void);
Span report_script(void);

/* A board as a drawing, from the side to move, with the move that was played and the better one. */
void report_add_diagram(Text *out, const Position *p, Move played, Move best);

/* White's chances over the game. */
void report_add_graph(Text *out, const Review *review);

#endif
