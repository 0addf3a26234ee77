/* What the rest of the service asks of studying: analysis, reviews, puzzles, the laboratory. */
#ifndef SERVICE_STUDY_STUDY_INT_H
#define SERVICE_STUDY_STUDY_INT_H

#include "service/client_int.h"

/* Analysis: a session of the engine for each client that wants one. The search reports its lines on
 * its own thread and takes no lock but the analysis's, so that ending it under Service.lock cannot
 * wait for itself. */
typedef struct Analysis Analysis;
void analysis_end(Service *service, Client *c); /* without an analysis is fine */
void analysis_send(Service *service);           /* sends the clients what is new */

/* Reviews of games, one after the other in the background pool. */
const char *reviews_state(const Service *service, const StoreGame *g); /* "none", "queued" ... */
void reviews_cancel(Service *service, int64_t game);                   /* none is fine */
void reviews_free(Service *service); /* after the pool has stopped */

/* PuzzleState of the protocol: how the player stands. */
Status puzzle_state_json(Service *service, int64_t player, json_t **state, Message *why);
/* Searches these games for puzzles in the background, one at a time. */
enum { PUZZLE_MAX_GAMES = 500 };
Status puzzle_job_add(Service *service, int64_t player, const int64_t *games, int count,
                      Message *why);
json_t *puzzle_job_json(const Service *service, int64_t player); /* null: none */

/* When something that was learnt is asked again. */
int64_t training_next_box(int64_t box);            /* after one more solution in a row */
int64_t training_due(int64_t box, int64_t now_ms); /* box 1 is the next day */

#endif
