/* Helpers for the tests of judges. */
#ifndef TESTS_GALLERY_JUDGING_H
#define TESTS_GALLERY_JUDGING_H

#include "gallery/judge.h"

/* A position worked out by hand: what one term must give each side. */
typedef struct HandWorked {
    const char *fen;
    const char *term;
    double white, black;
} HandWorked;

/* Fails the test when the position cannot be. */
Position judging_position(const char *fen);

/* Fails the test where the judge says something else, or has no such term. */
void judging_check(const Judge *judge, const HandWorked *rows, int count);

/* Fails unless both colours are judged alike: the position with colours exchanged has the same score. */
void judging_check_mirror(const Judge *judge, const char *const *fens, int count);

#endif
