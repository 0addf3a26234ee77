/* The opponent that follows the player. After every game the player's rating moves by the
 * result, and the next game's level stands where the rating is.
 *
 *     AdaptWish wish;                                  --elo adapt+100
 *     adapt_parse(&wish, text, &why);
 *     int elo = adapt_level(record->strength, wish.offset);
 *     ... play against level_ops with that elo ...
 *     adapt_result(&record->strength, elo, score);
 *
 * `record` is a player's in a store (players.h, or a front end's own). */
#ifndef LEVELS_ADAPT_H
#define LEVELS_ADAPT_H

#include "base/status.h"
#include "base/text.h"
#include "levels/rating/glicko.h"

enum { ADAPT_FIRST_ELO = 1000, ADAPT_MAX_OFFSET = 1000 };

/* What follows "--elo". */
typedef struct AdaptWish {
    bool adapts;
    int elo;    /* when it does not */
    int offset; /* when it does */
} AdaptWish;

/* "1500", "adapt", "adapt+100", "adapt-50". */
Status adapt_parse(AdaptWish *wish, Span text, Message *why);

/* The level for the next game. */
int adapt_level(Glicko strength, int offset);

/* A game against the level `elo` is over. */
void adapt_result(Glicko *strength, int elo, double score);

#endif
