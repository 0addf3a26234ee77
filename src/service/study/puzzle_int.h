/* Puzzles: how a player stands, and the job that searches games for more of them. */
#ifndef SERVICE_STUDY_PUZZLE_INT_H
#define SERVICE_STUDY_PUZZLE_INT_H

#include "service/message_int.h"

/* PuzzleState of the protocol. With `themes` (may be NULL) also the list of themes with their
 * counts. */
Status puzzle_state_json(Service *service, int64_t player, json_t **state, json_t **themes,
                         Message *why);

/* Searches these games in the background, one at a time. */
enum { PUZZLE_MAX_GAMES = 500 };
Status puzzle_job_add(Service *service, int64_t player, const int64_t *games, int count,
                      Message *why);
json_t *puzzle_job_json(const Service *service, int64_t player); /* null: none */
void puzzle_job_stop(Service *service);                          /* what runs ends soon */

#endif
