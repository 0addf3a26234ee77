#include "app/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_MS = 500, STEP_MS = 200 };

/* True a few times a second; the line is empty then. */
static bool is_due(Progress *p)
{
    int64_t now = clock_now_ms();
    if (!p->watched || now - p->last_ms < STEP_MS)
        return false;
    p->last_ms = now;
    atomic_store(&p->shown, true);
    fprintf(stderr, "\r\033[K");
    return true;
}

static void show(void *user)
{
    Progress *p = user;
    if (!p->done || !is_due(p))
        return;
    uint64_t done = atomic_load(p->done);
    uint64_t total = p->total_now ? atomic_load(p->total_now) : p->total;
    double rate = (double)done * 1000.0 / (double)(p->last_ms - p->began_ms);
    if (total && rate > 0) {
        double left = (double)(total > done ? total - done : 0) / rate;
        fprintf(stderr, "%3.0f %%, %.0f s left, ", 100.0 * (double)done / (double)total, left);
    }
    fprintf(stderr, "%.1f %s/s", p->per_unit > 0 ? rate / p->per_unit : rate, p->unit);
    fflush(stderr);
}

void progress_begin(Progress *p)
{
    p->watched = isatty(STDERR_FILENO) == 1;
    p->began_ms = clock_now_ms();
    p->last_ms = p->began_ms + FIRST_MS - STEP_MS;
    job_begin(&p->job, p->limit_ms, show, p);
}

Status progress_end(Progress *p, Status s, Message *why)
{
    s = job_end(&p->job, s, why);
    progress_wipe(p);
    return s;
}

void progress_line(Progress *p, const char *format, ...)
{
    if (!is_due(p))
        return;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
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
