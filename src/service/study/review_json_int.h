/* A review as the page gets it. */
#ifndef SERVICE_STUDY_REVIEW_JSON_INT_H
#define SERVICE_STUDY_REVIEW_JSON_INT_H

#include "study/review.h"

#include <jansson.h>

/* accuracy, loss, counts, opening, start. */
json_t *review_totals_json(const Review *review);

/* Move i, played from p; `mistake` is its number in the training queue, 0: none. */
json_t *review_move_json(const Review *review, int i, const Position *p, int64_t mistake);

/* What would have been better than move i, what it allows, and why. */
json_t *review_answer_json(const Review *review, int i, const Position *p);

#endif
