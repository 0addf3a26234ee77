/* Games for the page: as JSON, and the requests that begin, find and change them. */
#ifndef SERVICE_GAME_INT_H
#define SERVICE_GAME_INT_H

#include "service/board_int.h"
#include "service/message_int.h"

/* The words of StoreKind and StoreOutcome; each list ends with NULL. */
extern const char *const game_kinds[], *const game_outcomes[];

json_t *game_json(const Service *service, const Board *b,
                  int64_t player); /* the snapshot that player sees */
json_t *game_summary(const StoreGame *g);

/* The event of a change, to all who watch the game but `except`. */
void game_event(Service *service, const Board *b, const Client *except);

/* The field "game" of a request, and its board (game_requests.c). */
bool game_find(Request *r, Board **b);

/* The snapshot as answer. */
bool game_answer(Request *r, const Board *b);

/* Beginning games (new_game.c). */
Handler new_game, new_game_watch, new_game_rematch;
/* The fields color, clock, chess960, number and fen of a request. */
bool new_game_read(Request *r, StoreGame *g);
void new_game_seat(StoreSide *side, const StorePlayer *p); /* the player has this side */
/* Stores the game, subscribes the client, and answers with the snapshot. */
bool new_game_begin(Request *r, StoreGame *g);

/* Games of two people, at one screen or from two browsers (people.c). The address of a game with a
 * free seat is the invitation. */
Handler people_new, people_join;
/* Asks the other side for a takeback, or grants the one it asks for. At one screen the last move
 * goes at once. */
Status people_take_back(Service *service, Board *b, Color us, Message *why);

#endif
