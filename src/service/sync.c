#include "service/sync_int.h"

#include <stdlib.h>
#include <string.h>

/* Syncs between checkpoints: from the first number on one is made when nobody waits for a sync, at
 * the second in any case. */
enum { CHECKPOINT_DUE = 200, CHECKPOINT_LATEST = 2000 };

typedef struct Waiting {
    struct Waiting *next;
    const Client *client; /* NULL: gone */
    int64_t changes;      /* never fewer than those of the one before */
    size_t len;
    char text[];
} Waiting;

struct Sync {
    Store *store; /* of its own */
    Thread thread;
    Mutex lock;
    Condition changed;
    Waiting *first, *last;
    int64_t synced; /* changes, as Service.store counts them */
    int syncs;      /* since the last checkpoint */
    bool failed, quit;
    Message why; /* of the failure */
};

/* -- Messages that wait; under the lock -- */

static void send_synced(Sync *s)
{
    while (s->first && s->first->changes <= s->synced) {
        Waiting *w = s->first;
        s->first = w->next;
        if (!s->first)
            s->last = NULL;
        if (w->client)
            w->client->send(w->client->connection, w->text, w->len);
        free(w);
    }
}

void sync_send(const Client *c, const char *text, size_t len)
{
    Sync *s = c->service->sync;
    Waiting *w = malloc(sizeof *w + len);
    if (!w)
        return;
    *w = (Waiting){.client = c, .changes = store_changes(c->service->store), .len = len};
    memcpy(w->text, text, len);
    mutex_lock(&s->lock);
    if (s->failed || s->quit) {
        free(w);
    } else {
        if (s->last)
            s->last->next = w;
        else
            s->first = w;
        s->last = w;
        send_synced(s);
        if (s->first)
            condition_signal_all(&s->changed);
    }
    mutex_unlock(&s->lock);
}

void sync_forget(Sync *s, const Client *c)
{
    mutex_lock(&s->lock);
    for (Waiting *w = s->first; w; w = w->next)
        if (w->client == c)
            w->client = NULL;
    mutex_unlock(&s->lock);
}

/* -- The thread; both under the lock, which is let go while the disk is at work -- */

static void sync_once(Sync *s)
{
    Message why;
    int64_t until = s->last->changes;
    mutex_unlock(&s->lock);
    Status status = store_sync(s->store, &why);
    mutex_lock(&s->lock);
    if (status == STATUS_OK) {
        s->synced = until;
        s->syncs++;
        send_synced(s);
    } else {
        s->failed = true; /* for good: a system may forget what it could not write */
        s->why = why;
    }
}

static void checkpoint(Sync *s)
{
    s->syncs = 0;
    mutex_unlock(&s->lock);
    store_checkpoint(s->store);
    mutex_lock(&s->lock);
}

static void *sync_main(void *arg)
{
    Sync *s = arg;
    mutex_lock(&s->lock);
    while (!s->quit && !s->failed) {
        if (s->syncs >= (s->first ? CHECKPOINT_LATEST : CHECKPOINT_DUE))
            checkpoint(s);
        else if (s->first)
            sync_once(s);
        else
            condition_wait(&s->changed, &s->lock);
    }
    mutex_unlock(&s->lock);
    return NULL;
}

/* -- Life -- */

static void free_sync(Sync *s)
{
    for (Waiting *w = s->first, *next; w; w = next) {
        next = w->next;
        free(w);
    }
    condition_free(&s->changed);
    mutex_free(&s->lock);
    store_close(s->store);
    free(s);
}

Status sync_open(Sync **out, const Service *service, Message *why)
{
    Sync *s = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the store");
    mutex_init(&s->lock);
    condition_init(&s->changed);
    Status status = service_open_store(service, &s->store, why);
    if (status == STATUS_OK)
        status = thread_start(&s->thread, sync_main, s, 0, why);
    return GIVE_OR_CLOSE(status, out, s, free_sync);
}

void sync_close(Sync *s)
{
    if (!s)
        return;
    condition_set(&s->changed, &s->lock, &s->quit);
    thread_join(s->thread);
    free_sync(s);
}

bool sync_failed(Sync *s, Message *why)
{
    mutex_lock(&s->lock);
    bool failed = s->failed;
    if (failed)
        *why = s->why;
    mutex_unlock(&s->lock);
    return failed;
}
