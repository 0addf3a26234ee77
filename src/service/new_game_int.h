/* Handlers that begin games. */
#ifndef SERVICE_NEW_GAME_INT_H
#define SERVICE_NEW_GAME_INT_H

#include "service/message_int.h"

Handler new_game, new_game_watch, new_game_rematch;

/* The fields color, clock, chess960, number and fen of a request. */
Status new_game_read(Service *service, const Request *r, StoreGame *g, Message *why);
void new_game_seat(StoreSide *side, const StorePlayer *p); /* the player has this side */

/* Stores the game, subscribes the client, and answers with the snapshot. */
Status new_game_begin(Service *service, Request *r, StoreGame *g, json_t *data, Message *why);

#endif
