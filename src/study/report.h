/* Reviews as one page of HTML that needs nothing else: no network, no other file. */
#ifndef STUDY_REPORT_H
#define STUDY_REPORT_H

#include "study/review.h"

/* A page is its head, any number of games, and its end; the pieces may be written one by one. */
void report_begin(Text *out, const char *source);
void report_add_game(Text *out, const Game *g, const Review *review, uint64_t number);
void report_end(Text *out);

#endif
