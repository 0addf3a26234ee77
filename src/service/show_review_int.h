/* A review as the page gets it. */
#ifndef SERVICE_SHOW_REVIEW_INT_H
#define SERVICE_SHOW_REVIEW_INT_H

#include "service/service_int.h"
#include "study/review.h"

/* Members: accuracy, loss, counts, opening, start. */
void show_review_totals(Text *out, const Review *review);

/* Move i, played from p; `mistake` is its number in the training queue, 0: none. */
void show_review_move(Text *out, const Review *review, int i, const Position *p, int64_t mistake);

/* Members: what would have been better than move i, what it allows, and why. */
void show_review_answer(Text *out, const Review *review, int i, const Position *p);

#endif
