/* Handlers that begin games. */
#ifndef SERVICE_NEW_GAME_INT_H
#define SERVICE_NEW_GAME_INT_H

#include "service/message_int.h"

Handler new_game, new_game_watch, new_game_rematch;

#endif
