/* Helpers for the tests of opponents. */
#ifndef TESTS_ENGINE_PLAYING_H
#define TESTS_ENGINE_PLAYING_H

#include "opponent/opponent.h"

/* An opponent by name, with settings behind commas; fails the test when it cannot be had. */
Opponent *playing_open(const char *name, uint64_t seed);

/* What it answers in the position, which it must not change, within those limits. */
OpponentAnswer playing_ask(Opponent *o, const char *fen, const SearchLimits *limits);

/* The same; fails unless the move is `san`. */
void playing_expect(Opponent *o, const char *fen, const SearchLimits *limits, const char *san);

/* What the opponent of that name answers, opened for this one move. */
OpponentAnswer playing_once(const char *name, const char *fen, const SearchLimits *limits,
                            uint64_t seed);

/* The same; fails unless the move is `san`. It looks `depth` plies ahead, 0: by its own effort. */
void playing_expect_once(const char *name, const char *fen, int depth, const char *san);

/* Fails unless it answers soon when it is stopped: at once, in the middle of an endless search, and
 * by a small number of nodes or milliseconds. */
void playing_check_stops(const char *name);

/* A game between two with so many nodes a move, from an opening of its own for each seed. Fails on
 * an illegal move; ends by the rules, a resignation, or after 200 moves. Returns the number of
 * plies. */
int playing_game(const char *white, const char *black, uint64_t seed, uint64_t nodes);

#endif
