/* What `castellan levels` reads: games of people as PGN, and the cache of searches that belongs to
 * them. */
#ifndef APP_LEVELS_INPUT_H
#define APP_LEVELS_INPUT_H

#include "levels/human_games.h"

/* Every game from the usual starting position with two ratings; others are left out. */
Status levels_read_games(HumanGames *g, const char *path, const atomic_bool *stop, Message *why);

/* The samples of the share, in percent: from the cache (NULL: none) and by searches, which are
 * added to it, also where `progress` ends them early. */
Status levels_read_samples(HumanGames *g, const char *cache, int share, HumanProgress *progress,
                           void *user, Message *why);

#endif
