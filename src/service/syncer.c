/* Nothing is told before it is on the disk. A sync takes milliseconds, on a busy disk many, so it happens
 * on a thread of its own, without Service.lock, for all that was stored until it begins. */
#include "service/service_int.h"

#include <stdlib.h>

/* Syncs between checkpoints: from the first number on one is made when nobody waits for a sync, at the
 * second in any case. */
enum { CHECKPOINT_DUE = 200, CHECKPOINT_LATEST = 2000 };

struct Syncer {
    Store *store; /* of its own */
    Thread thread;
    Mutex lock;
    Condition changed;
    int64_t wanted, synced; /* changes, as Service.store counts them */
    int syncs;              /* since the last checkpoint */
    bool failed, quit;
    Message why; /* of the failure */
};

/* The two below: under the lock, which is let go while the disk is at work. */
static void sync_once(Syncer *s)
{
    Message why;
    int64_t until = s->wanted;
    mutex_unlock(&s->lock);
    Status status = store_sync(s->store, &why);
    mutex_lock(&s->lock);
    if (status == STATUS_OK) {
        s->synced = until;
        s->syncs++;
    } else {
        s->failed = true; /* for good: a system may forget what it could not write */
        s->why = why;
    }
    condition_signal_all(&s->changed);
}

static void checkpoint(Syncer *s)
{
    s->syncs = 0;
    mutex_unlock(&s->lock);
    store_checkpoint(s->store);
    mutex_lock(&s->lock);
}

static void *syncer_main(void *arg)
{
    Syncer *s = arg;
    mutex_lock(&s->lock);
    while (!s->quit && !s->failed) {
        bool wanted = s->wanted > s->synced;
        if (s->syncs >= (wanted ? CHECKPOINT_LATEST : CHECKPOINT_DUE))
            checkpoint(s);
        else if (wanted)
            sync_once(s);
        else
            condition_wait(&s->changed, &s->lock);
    }
    mutex_unlock(&s->lock);
    return NULL;
}

Status syncer_open(Syncer **out, const char *path, Message *why)
{
    Syncer *s = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "no memory for the store");
    Status status = store_open(&s->store, path, why);
    if (status == STATUS_OK) {
        mutex_init(&s->lock);
        condition_init(&s->changed);
        status = thread_start(&s->thread, syncer_main, s, 0, why);
        if (status != STATUS_OK) {
            condition_free(&s->changed);
            mutex_free(&s->lock);
            store_close(s->store);
        }
    }
    if (status == STATUS_OK)
        *out = s;
    else
        free(s);
    return status;
}

void syncer_close(Syncer *s)
{
    if (!s)
        return;
    mutex_lock(&s->lock);
    s->quit = true;
    condition_signal_all(&s->changed);
    mutex_unlock(&s->lock);
    thread_join(s->thread);
    condition_free(&s->changed);
    mutex_free(&s->lock);
    store_close(s->store);
    free(s);
}

void syncer_want(Syncer *s, int64_t changes)
{
    mutex_lock(&s->lock);
    if (changes > s->wanted) {
        s->wanted = changes;
        condition_signal_all(&s->changed);
    }
    mutex_unlock(&s->lock);
}

bool syncer_failed(Syncer *s, Message *why)
{
    mutex_lock(&s->lock);
    bool failed = s->failed;
    if (failed)
        *why = s->why;
    mutex_unlock(&s->lock);
    return failed;
}

bool syncer_await(Syncer *s, int64_t changes)
{
    mutex_lock(&s->lock);
    while (s->synced < changes && !s->failed)
        condition_wait(&s->changed, &s->lock);
    bool fine = !s->failed;
    mutex_unlock(&s->lock);
    return fine;
}
