/* Long work on a thread of its own, while the calling thread shows progress and waits for Ctrl-C.
 * The first SIGINT or SIGTERM sets the work's stop flag; a second one ends the process at once. */
#ifndef BASE_JOB_H
#define BASE_JOB_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdint.h>

/* Returns when the work is done, or soon after *stop was set. */
typedef Status (*JobWork)(void *user, const atomic_bool *stop, Message *why);

/* Runs work(user, ...) and returns its status; STATUS_STOPPED takes the place of STATUS_OK after an
 * interrupt. Both signals stay blocked, so that the caller can finish in order. `tick` (may be
 * NULL) is called in the calling thread several times a second meanwhile. */
Status job_run(JobWork work, void (*tick)(void *user), void *user, Message *why);

/* The same, but *stop is also set after `limit_ms` (0: never); then the work's status is returned
 * as it is. */
Status job_run_for(int64_t limit_ms, JobWork work, void (*tick)(void *user), void *user,
                   Message *why);

/* Does the work's `count` parts, numbered from 0, in `threads` threads at the same time: each takes
 * the next. Ends at the first failure, whose status is returned, or with STATUS_STOPPED after *stop
 * was set (NULL: never). */
typedef Status (*JobPart)(void *user, int index, Message *why);
Status job_parts(JobPart part, void *user, int count, int threads, const atomic_bool *stop,
                 Message *why);

#endif
