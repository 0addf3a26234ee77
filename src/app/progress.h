/* Progress of long work on stderr: percentage, rate, time left. Nothing is shown when stderr is not
 * a terminal. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    bool watched;
    atomic_bool shown; /* something is on the line; any thread may wipe it */
    uint64_t total;    /* 0: not known, only the rate is shown */
    double per_unit;   /* what one counted unit is in the unit that is shown */
    const char *unit;
    int64_t began_ms, last_ms;
} Progress;

/* `total` things to do; shown as done / per_unit in `unit` ("MB"). */
void progress_begin(Progress *p, uint64_t total, double per_unit, const char *unit);

/* Cheap enough to be called often: shows something a few times a second at most. */
void progress_show(Progress *p, uint64_t done);

/* Wipes the line, so that what is printed next stands alone. */
void progress_wipe(Progress *p);

/* The size of all files together; 0 when one of them is "-" or not a regular file. */
uint64_t progress_file_bytes(char *const *paths, int count);

#endif
