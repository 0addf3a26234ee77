/* How strong a player is, and the level that follows them: both are one rating
 * (levels/rating/adapt.h). */
#ifndef SERVICE_PLAYER_RATING_INT_H
#define SERVICE_PLAYER_RATING_INT_H

#include "service/service_int.h"

int64_t rating_adaptive_elo(const StorePlayer *p);
StorePlayer rating_new_player(Span name, int64_t now);

/* Takes the result of a finished game into the player's rating and level; `g` gets its change. */
Status rating_update(Service *service, StoreGame *g, Message *why);

#endif
