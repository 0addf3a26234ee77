/* Helpers for tests of the ancestors' evaluations. */
#ifndef TESTS_GALLERY_JUDGE_CHECK_H
#define TESTS_GALLERY_JUDGE_CHECK_H

#include "gallery/judge.h"

Position judge_check_position(const char *fen);

/* The term of that name, with the original's weights, must give each side this. */
void judge_check_term(const Judge *judge, const char *fen, const char *term, double white,
                      double black);

/* Two boards that are each other's mirror images must be worth the same to the side to move. */
void judge_check_mirrored(const Judge *judge, const char *fen, const char *mirrored);

#endif
