/* Positions as play brings them about, for tests that want many: games of random legal moves. */
#ifndef TESTS_UNIT_CHESS_PLAYOUT_H
#define TESTS_UNIT_CHESS_PLAYOUT_H

#include "base/random.h"
#include "chess/position.h"

typedef void PlayoutVisit(const Position *p, void *user);

/* Plays `games` games of at most `plies` random moves from the ordinary start, or from any two of
 * the 960 starts, and shows every position of them. Same seed, same games. */
void playout_each(uint64_t seed, int games, int plies, bool chess960, PlayoutVisit *visit,
                  void *user);

/* Makes one random legal move; false when there is none. */
bool playout_step(Position *p, Random *random);

#endif
