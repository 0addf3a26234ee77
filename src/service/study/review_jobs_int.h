/* Reviews of games, one after the other in the background pool. */
#ifndef SERVICE_STUDY_REVIEW_JOBS_INT_H
#define SERVICE_STUDY_REVIEW_JOBS_INT_H

#include "service/service_int.h"

const char *reviews_state(const Service *service, const StoreGame *g); /* "none", "queued" ... */
void reviews_cancel(Service *service, int64_t game);                   /* none is fine */

void reviews_stop(Service *service); /* the one that runs ends soon */
void reviews_free(Service *service); /* after the pool has stopped */

#endif
