/* Long work that shows progress and can be interrupted, and work in parts. */
#ifndef BASE_JOB_H
#define BASE_JOB_H

#include "base/status.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdint.h>

/* Work in the calling thread, while one of the job's own shows progress and waits for Ctrl-C: the
 * first SIGINT or SIGTERM sets `stop`; a second one ends the process at once. */
typedef struct Job {
    atomic_bool stop; /* the work ends soon after it was set */
    /* Its own. */
    void (*tick)(void *user);
    void *user;
    int64_t until_ms; /* when to stop; 0: never */
    Latch over;
    Thread watcher;
    bool watched, interrupted;
} Job;

/* The signals are blocked from here on, in threads started later too. `tick` (may be NULL) is
 * called by the job's thread several times a second. `stop` is also set after `limit_ms` (0:
 * never). Where the machine gives no thread, Ctrl-C ends the process as usual. */
void job_begin(Job *job, int64_t limit_ms, void (*tick)(void *user), void *user);

/* Returns the status of the work; after an interrupt STATUS_STOPPED takes the place of STATUS_OK.
 * Without one both signals stay blocked, so that the caller can finish in order. */
Status job_end(Job *job, Status s, Message *why);

/* Does the work's `count` parts, numbered from 0, in `threads` threads at the same time: each takes
 * the next. Ends at the first failure, whose status is returned, or with STATUS_STOPPED after *stop
 * was set (NULL: never). */
typedef Status (*JobPart)(void *user, int index, Message *why);
Status job_parts(JobPart part, void *user, int count, int threads, const atomic_bool *stop,
                 Message *why);

#endif
