/* One self-play game. */
#ifndef TRAIN_SELFPLAY_GAME_H
#define TRAIN_SELFPLAY_GAME_H

#include "base/random.h"
#include "search/search.h"
#include "train/data/data.h"

#include <stdatomic.h>

typedef struct SelfplayRules {
    uint64_t nodes; /* soft; the hard limit is eight times that */
    int chess960_percent;
} SelfplayRules;

/* The same for a score: late-move pruning makes the best of few nodes when a move is wanted, but
 * costs the score more accuracy than twice the nodes give back. */
SearchResult selfplay_search_label(SearchPool *pool, const Position *p, uint64_t nodes);

/* Plays a game; both sides use the pool, which is cleared first. False when stopped. */
bool selfplay_game(SearchPool *pool, const SelfplayRules *rules, Random *random,
                   const atomic_bool *stop, GameRecord *game);

#endif
