/* One self-play game, and labels for its positions. */
#ifndef TRAIN_SELFPLAY_GAME_H
#define TRAIN_SELFPLAY_GAME_H

#include "base/random.h"
#include "search/search.h"
#include "train/data/data.h"
#include "train/selfplay/selfplay.h"

/* Plays a game; both sides use the pool, which is cleared first. False when stopped. */
bool selfplay_game(SearchPool *pool, const SelfplayOptions *options, Random *random,
                   const atomic_bool *stop, GameRecord *game);

/* -- Labels: the quiet positions of a game get the score of a longer search, all other plies none
 * (SCORE_NONE). A net learns from the scores; those of a few hundred nodes say hardly more than it
 * knows. Unlike searches that play, these prune no move for coming late in
 * the order (disable_lmp). -- */

typedef struct LabelRules {
    uint64_t nodes; /* soft limit a position */
    uint32_t every; /* label one of so many quiet positions */
    int max_score;  /* positions scored beyond it in play are decided and get no label */
} LabelRules;

enum { LABEL_MAX_SCORE = 700, LABEL_NODES = 1200 };

/* Replaces the scores of the game by labels, from its last position to the first, so that a search
 * finds in its table what came of the position. False when stopped: the game is then of no use. */
bool selfplay_label(SearchPool *pool, const LabelRules *rules, Random *random,
                    const atomic_bool *stop, GameRecord *game);

#endif
