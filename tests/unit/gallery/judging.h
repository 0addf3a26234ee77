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

/* Fails the test unless the term of that name, with the original's weights, gives each side this. */
void judging_term(const Judge *judge, const char *fen, const char *term, double white,
                  double black);

/* The same for many. */
void judging_check(const Judge *judge, const HandWorked *rows, int count);

/* Fails unless both colours are judged alike: the position with colours exchanged has the same score. */
void judging_check_mirror(const Judge *judge, const char *const *fens, int count);

#endif
