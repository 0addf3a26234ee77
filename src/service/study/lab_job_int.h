/* The laboratory's table: computed once, in the background pool, when somebody first
 * asks for it. */
#ifndef SERVICE_STUDY_LAB_JOB_INT_H
#define SERVICE_STUDY_LAB_JOB_INT_H

#include "service/service_int.h"

void lab_job_free(Service *service); /* after the pool has stopped */

#endif
