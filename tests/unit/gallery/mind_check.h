/* Helpers for tests of opponents' minds. */
#ifndef TESTS_GALLERY_MIND_CHECK_H
#define TESTS_GALLERY_MIND_CHECK_H

#include "gallery/opponent.h"

/* What the opponent of that name answers, opened for this one move. */
OpponentAnswer mind_check_answer(const char *name, const char *fen, const SearchLimits *limits,
                                 uint64_t seed);

/* It must play this move (SAN) when it looks `depth` plies ahead; 0: by its own effort. */
void mind_check_move(const char *name, const char *fen, int depth, const char *san);

#endif
