/* Games as JSON. */
#ifndef SERVICE_GAME_JSON_INT_H
#define SERVICE_GAME_JSON_INT_H

#include "service/board_int.h"
#include "service/client_int.h"

json_t *game_json(const Service *service, const Board *b,
                  int64_t player); /* the snapshot that player sees */
json_t *game_summary(const StoreGame *g);

/* The event of a change, to all who watch the game but `except`. */
void game_event(Service *service, const Board *b, const Client *except);

#endif
