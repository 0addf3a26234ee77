#include "base/job.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/thread.h"

#include <stdbool.h>

enum { TICK_MS = 50 };

typedef struct Job {
    JobWork work;
    void *user;
    atomic_bool stop;
    bool interrupted;
    int64_t until_ms; /* when to stop; 0: never */
    Latch over;
    Status status; /* once it is over */
    Message *why;
} Job;

static void *job_thread(void *arg)
{
    Job *job = arg;
    job->status = job->work(job->user, &job->stop, job->why);
    latch_open(&job->over);
    return NULL;
}

static void job_watch(Job *job, void (*tick)(void *user))
{
    while (!latch_wait(&job->over, TICK_MS)) {
        if (tick)
            tick(job->user);
        if (!job->interrupted && interrupt_came()) {
            job->interrupted = true;
            atomic_store(&job->stop, true);
            interrupt_accept();
        }
        if (job->until_ms && clock_now_ms() >= job->until_ms)
            atomic_store(&job->stop, true);
    }
}

Status job_run(JobWork work, void (*tick)(void *user), void *user, Message *why)
{
    return job_run_for(0, work, tick, user, why);
}

Status job_run_for(int64_t limit_ms, JobWork work, void (*tick)(void *user), void *user,
                   Message *why)
{
    Job job = {.work = work, .user = user, .why = why, .status = STATUS_OK};
    job.until_ms = limit_ms ? clock_now_ms() + limit_ms : 0;
    Thread thread;
    latch_init(&job.over);
    interrupt_hold();
    Status s = thread_start(&thread, job_thread, &job, 0, why);
    if (s == STATUS_OK) {
        job_watch(&job, tick);
        thread_join(thread);
        s = job.status;
        if (s == STATUS_OK && job.interrupted)
            s = status_fail(why, STATUS_STOPPED, "interrupted");
    }
    latch_free(&job.over);
    return s;
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
