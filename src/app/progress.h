/* Long work on standard error: percentage, rate, time left. Nothing is shown when stderr is not a
 * terminal. Ctrl-C ends the work in order (base/job.h). */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include "base/job.h"

typedef struct Progress {
    const char *unit;                  /* what the rate counts: "games", "MB" */
    double per_unit;                   /* how many of what is counted make one; 0: 1 */
    uint64_t total;                    /* 0: not known, only the rate is shown */
    const _Atomic uint64_t *total_now; /* where the total grows during the work; NULL: `total` */
    const _Atomic uint64_t *done;      /* where the work counts; NULL: only progress_line shows */
    int64_t limit_ms;                  /* of the work, 0: none */
    Job job;                           /* its stop flag is for the work */
    /* Its own. */
    bool watched;
    atomic_bool shown; /* something is on the line; any thread may wipe it */
    int64_t began_ms, last_ms;
} Progress;

/* Around the work, in the thread that does it: see job_begin and job_end. */
void progress_begin(Progress *p);
Status progress_end(Progress *p, Status s, Message *why);

/* Shows a line of the work's own. Cheap enough to be called often: it shows something a few times a
 * second at most. */
void progress_line(Progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Wipes the line, so that what is printed next stands alone. */
void progress_wipe(Progress *p);

/* The size of all files together; 0 when one of them is "-" or not a regular file. */
uint64_t progress_file_bytes(char *const *paths, int count);

#endif
