#include "app/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_MS = 500, STEP_MS = 200 };

void progress_begin(Progress *p)
{
    p->watched = isatty(2) == 1;
    p->began_ms = clock_now_ms();
    p->last_ms = p->began_ms + FIRST_MS - STEP_MS;
    if (!(p->per_unit > 0))
        p->per_unit = 1;
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
    uint64_t total = p->total_now ? atomic_load(p->total_now) : p->total;
    fprintf(stderr, "\r\033[K");
    if (total && rate > 0) {
        double left = (double)(total > done ? total - done : 0) / rate;
        fprintf(stderr, "%3.0f %%, %.0f s left, ", 100.0 * (double)done / (double)total, left);
    }
    fprintf(stderr, "%.1f %s/s", rate / p->per_unit, p->unit);
    fflush(stderr);
}

void progress_wipe(Progress *p)
{
    if (atomic_exchange(&p->shown, false))
        fprintf(stderr, "\r\033[K");
}

typedef struct WatchedWork {
    Progress *progress;
    JobWork work;
    void *user;
} WatchedWork;

static Status do_work(void *user, const atomic_bool *stop, Message *why)
{
    WatchedWork *w = user;
    return w->work(w->user, stop, why);
}

static void show_work(void *user)
{
    WatchedWork *w = user;
    progress_show(w->progress, atomic_load(w->progress->done));
}

Status progress_run(Progress *p, JobWork work, void *user, Message *why)
{
    WatchedWork w = {p, work, user};
    progress_begin(p);
    Status s = job_run_for(p->limit_ms, do_work, show_work, &w, why);
    progress_wipe(p);
    return s;
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
