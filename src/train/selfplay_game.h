/* One self-play game. */
#ifndef TRAIN_SELFPLAY_GAME_H
#define TRAIN_SELFPLAY_GAME_H

#include "base/random.h"
#include "search/search.h"
#include "train/data.h"

#include <stdatomic.h>

typedef struct SelfplayRules {
    uint64_t nodes; /* soft; the hard limit is eight times that */
    int chess960_percent;
} SelfplayRules;

/* Thinks until an iteration ends after so many nodes. */
SearchResult selfplay_think(SearchPool *pool, const Position *p, uint64_t nodes);

/* The same for the sake of the score: leaving out late moves makes the best of few nodes when a move is
 * wanted, but costs the score more than as many nodes again would mend (docs/log/net.md). */
SearchResult selfplay_judge(SearchPool *pool, const Position *p, uint64_t nodes);

/* Plays a game with one search for each side, which forget everything first. False when stopped. */
bool selfplay_game(SearchPool *const sides[COLOR_COUNT], const SelfplayRules *rules, Random *random,
                   const atomic_bool *stop, GameRecord *game);

#endif
