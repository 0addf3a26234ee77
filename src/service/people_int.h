/* Games of two people: at one screen, or from two browsers. The address of a game with a free seat
 * is the invitation. */
#ifndef SERVICE_PEOPLE_INT_H
#define SERVICE_PEOPLE_INT_H

#include "service/board_int.h"
#include "service/message_int.h"

Handler people_new, people_join;

/* Asks the other side for a takeback, or grants the one it asks for. At one screen the last move
 * goes at once. */
Status people_take_back(Service *service, Board *b, Color us, Message *why);
Status people_offer_draw(Service *service, Board *b, Color us, Message *why);

#endif
