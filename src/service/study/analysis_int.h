/* Analysis: a session of the engine for each client that wants one. The search reports its lines on
 * its own thread and takes no lock but the analysis's, so that ending it under Service.lock cannot
 * wait for itself. */
#ifndef SERVICE_STUDY_ANALYSIS_INT_H
#define SERVICE_STUDY_ANALYSIS_INT_H

#include "service/client_int.h"

typedef struct Analysis Analysis;

void analysis_end(Service *service, Client *c); /* without an analysis is fine */
void analysis_send(Service *service);           /* sends the clients what is new */

#endif
