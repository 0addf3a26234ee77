#include "app/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_MS = 500, STEP_MS = 200 };

void progress_begin(Progress *p, uint64_t total, double per_unit, const char *unit)
{
    int64_t now = clock_now_ms();
    *p = (Progress){isatty(2) == 1, false, total, per_unit, unit, now, now + FIRST_MS - STEP_MS};
}

void progress_show(Progress *p, uint64_t done)
{
    if (!p->watched)
        return;
    int64_t now = clock_now_ms();
    if (now - p->last_ms < STEP_MS)
        return;
    p->last_ms = now;
    atomic_store(&p->shown, true);
    double seconds = (double)(now - p->began_ms) / 1000.0;
    double rate = (double)done / seconds;
    fprintf(stderr, "\r\033[K");
    if (p->total && rate > 0) {
        double left = (double)(p->total > done ? p->total - done : 0) / rate;
        fprintf(stderr, "%3.0f %%, %.0f s left, ", 100.0 * (double)done / (double)p->total, left);
    }
    fprintf(stderr, "%.1f %s/s", rate / p->per_unit, p->unit);
    fflush(stderr);
}

void progress_wipe(Progress *p)
{
    if (atomic_exchange(&p->shown, false))
        fprintf(stderr, "\r\033[K");
}

uint64_t progress_file_bytes(char *const *paths, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        struct stat info;
        if (strcmp(paths[i], "-") == 0 || stat(paths[i], &info) != 0 || !S_ISREG(info.st_mode))
            return 0;
        sum += (uint64_t)info.st_size;
    }
    return sum;
}
