/* Lines and reviewers for the tests of reasons. */
#ifndef TESTS_STUDY_LINES_H
#define TESTS_STUDY_LINES_H

#include "study/review_int.h"

/* A move that is not legal fails the test. */
Move lines_move(const Position *p, Span san);
Line lines_read(const Position *from, const char *sans);

/* 20,000 nodes a position. */
Reviewer *lines_reviewer(Tablebases *tb);

#endif
