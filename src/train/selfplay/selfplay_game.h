/* One self-play game. */
#ifndef TRAIN_SELFPLAY_GAME_H
#define TRAIN_SELFPLAY_GAME_H

#include "base/random.h"
#include "search/search.h"
#include "train/data/data.h"
#include "train/selfplay/selfplay.h"

/* Searches until an iteration ends after so many nodes, for a move or for a label: late-move
 * pruning makes the best of few nodes when a move is wanted, but costs the score more accuracy than
 * twice the nodes give back. */
SearchResult selfplay_search(SearchPool *pool, const Position *p, uint64_t nodes, bool label);

/* Plays a game; both sides use the pool, which is cleared first. False when stopped. */
bool selfplay_game(SearchPool *pool, const SelfplayOptions *options, Random *random,
                   const atomic_bool *stop, GameRecord *game);

#endif
