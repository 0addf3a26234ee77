/* How far long work has come, on stderr, when someone is watching there: percentage, rate, time
 * left. Nothing is shown when stderr is no terminal. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    bool watched;
    bool shown;      /* something is on the line and has to be wiped */
    uint64_t total;  /* 0: not known, only the rate is shown */
    double per_unit; /* what one counted unit is in the unit that is shown */
    const char *unit;
    int64_t began_ms, last_ms;
} Progress;

/* `total` things to do; shown as done / per_unit in `unit` ("MB"). */
void progress_begin(Progress *p, uint64_t total, double per_unit, const char *unit);

/* Cheap enough to be called often: shows something a few times a second at most. */
void progress_show(Progress *p, uint64_t done);

/* Wipes the line, so that what is printed next stands alone. */
void progress_wipe(Progress *p);

#endif
