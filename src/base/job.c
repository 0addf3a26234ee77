#include "base/job.h"

#include "base/clock.h"
#include "base/interrupt.h"

enum { TICK_MS = 50 };

static void *job_watch(void *arg)
{
    Job *job = arg;
    while (!latch_wait(&job->over, TICK_MS)) {
        if (job->tick)
            job->tick(job->user);
        if (!job->interrupted && interrupt_came()) {
            job->interrupted = true;
            atomic_store(&job->stop, true);
            interrupt_accept();
        }
        if (job->until_ms && clock_now_ms() >= job->until_ms)
            atomic_store(&job->stop, true);
    }
    return NULL;
}

void job_begin(Job *job, int64_t limit_ms, void (*tick)(void *user), void *user)
{
    *job = (Job){.tick = tick, .user = user};
    job->until_ms = limit_ms ? clock_now_ms() + limit_ms : 0;
    latch_init(&job->over);
    interrupt_hold();
    job->watched = thread_start(&job->watcher, job_watch, job, 0, NULL) == STATUS_OK;
    if (!job->watched)
        interrupt_release();
}

Status job_end(Job *job, Status s, Message *why)
{
    latch_open(&job->over);
    if (job->watched)
        thread_join(job->watcher);
    latch_free(&job->over);
    if (!job->interrupted)
        return s;
    interrupt_release();
    return s == STATUS_OK ? status_fail(why, STATUS_STOPPED, "interrupted") : s;
}

/* -- Parts -- */

typedef struct JobParts {
    JobPart part;
    void *user;
    int count;
    const atomic_bool *stop;
    atomic_int next;
    Mutex lock; /* of what follows: the first failure */
    Status status;
    Message *why;
} JobParts;

static void parts_fail(JobParts *p, Status s, const Message *why)
{
    atomic_store(&p->next, p->count);
    mutex_lock(&p->lock);
    if (p->status == STATUS_OK) {
        p->status = s;
        if (p->why)
            *p->why = *why;
    }
    mutex_unlock(&p->lock);
}

static void *parts_thread(void *arg)
{
    JobParts *p = arg;
    for (;;) {
        Message why = {""};
        int index = atomic_load(&p->next) < p->count ? atomic_fetch_add(&p->next, 1) : p->count;
        if (index >= p->count || (p->stop && atomic_load(p->stop)))
            return NULL;
        Status s = p->part(p->user, index, &why);
        if (s != STATUS_OK)
            parts_fail(p, s, &why);
    }
}

Status job_parts(JobPart part, void *user, int count, int threads, const atomic_bool *stop,
                 Message *why)
{
    JobParts p = {.part = part, .user = user, .count = count, .stop = stop, .why = why};
    mutex_init(&p.lock);
    thread_run_each(parts_thread, &p, 0, threads < count ? threads : count);
    mutex_free(&p.lock);
    if (p.status == STATUS_OK && stop && atomic_load(stop))
        return status_fail(why, STATUS_STOPPED, "stopped");
    return p.status;
}
