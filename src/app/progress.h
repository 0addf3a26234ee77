/* Progress of long work on stderr: percentage, rate, time left. Nothing is shown when stderr is not
 * a terminal. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include "base/job.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    const char *unit;                  /* what the rate counts: "games", "MB" */
    double per_unit;                   /* how many of what is counted make one; 0: 1 */
    uint64_t total;                    /* 0: not known, only the rate is shown */
    const _Atomic uint64_t *total_now; /* where the total grows during the work; NULL: `total` */
    const _Atomic uint64_t *done;      /* where the work counts; NULL with progress_show */
    int64_t limit_ms;                  /* of the work, 0: none */
    /* Its own. */
    bool watched;
    atomic_bool shown; /* something is on the line; any thread may wipe it */
    int64_t began_ms, last_ms;
} Progress;

/* job_run_for while the progress is shown; `p` lives longer than the work, which may wipe it. */
Status progress_run(Progress *p, JobWork work, void *user, Message *why);

/* The parts of it, for work that shows its progress itself. progress_show is cheap enough to be
 * called often: it shows something a few times a second at most. */
void progress_begin(Progress *p);
void progress_show(Progress *p, uint64_t done);

/* Wipes the line, so that what is printed next stands alone. */
void progress_wipe(Progress *p);

/* The size of all files together; 0 when one of them is "-" or not a regular file. */
uint64_t progress_file_bytes(char *const *paths, int count);

#endif
