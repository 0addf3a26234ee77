/* Opponents as a client names them: who there is, what can be set, and one opened. */
#ifndef SERVICE_OPPONENT_CHOICE_INT_H
#define SERVICE_OPPONENT_CHOICE_INT_H

#include "engine/opponents.h"
#include "service/message_int.h"

/* The table of opponents with their settings, and the files that settings may name. */
json_t *opponent_choice_list(void);
json_t *opponent_choice_files(const Service *service);

/* An opponent of the table: "name", and in "settings" what differs from its defaults. A side with
 * settings has no rating, because none was measured. start_fen (FEN_SIZE) is written when a setting
 * says where games begin. */
Status opponent_choice_read(const Service *service, const json_t *node, StoreSide *side,
                            char *start_fen, Message *why);

/* The opponent of a side that was read so, or of a level. *out is NULL where Castellan itself
 * plays. On any thread. */
Status opponent_choice_open(const Service *service, const StoreSide *side, uint64_t seed,
                            Opponent **out, Message *why);

#endif
