/* Pipes and consoles cannot be waited for together with anything else, so that each stream has a
 * thread that reads it and hands over what it got. */
#include "base/stream.h"

#include "base/clock.h"
#include "base/thread.h"

#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { HELD_BYTES = 1 << 16, STACK_BYTES = 1 << 18 };

struct Stream {
    HANDLE handle;
    Thread thread;
    Mutex lock;
    Condition changed;
    bool woken, ended, closing;
    size_t used, taken; /* of bytes: read, handed out */
    char bytes[HELD_BYTES];
};

static void *read_on(void *arg)
{
    Stream *s = arg;
    for (;;) {
        DWORD got = 0;
        bool fine = ReadFile(s->handle, s->bytes, HELD_BYTES, &got, NULL) && got > 0;
        mutex_lock(&s->lock);
        s->taken = 0;
        s->used = fine ? got : 0;
        s->ended = !fine;
        condition_signal_all(&s->changed);
        while (s->taken < s->used && !s->closing)
            condition_wait(&s->changed, &s->lock);
        bool last = s->ended || s->closing;
        mutex_unlock(&s->lock);
        if (last)
            return NULL;
    }
}

Status stream_open(Stream **out, int fd, Message *why)
{
    Stream *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a stream");
    s->handle = (HANDLE)_get_osfhandle(fd);
    mutex_init(&s->lock);
    condition_init(&s->changed);
    Status status = thread_start(&s->thread, read_on, s, STACK_BYTES, why);
    return GIVE_OR_CLOSE(status, out, s, free);
}

/* The thread may be inside ReadFile, or just before it: it is cancelled until it has ended. */
void stream_close(Stream *s)
{
    if (!s)
        return;
    condition_set(&s->changed, &s->lock, &s->closing);
    HANDLE thread = pthread_gethandle(s->thread);
    do
        CancelSynchronousIo(thread);
    while (WaitForSingleObject(thread, 5) == WAIT_TIMEOUT);
    thread_join(s->thread);
    condition_free(&s->changed);
    mutex_free(&s->lock);
    free(s);
}

StreamEvent stream_read(Stream *s, void *into, size_t room, size_t *len, int64_t ms)
{
    int64_t until = clock_now_ms() + ms;
    StreamEvent event = STREAM_TIME;
    *len = 0;
    mutex_lock(&s->lock);
    for (;;) {
        int64_t left = ms < 0 ? 1000 : until - clock_now_ms();
        if (s->woken || s->taken < s->used || s->ended || left <= 0)
            break;
        condition_wait_ms(&s->changed, &s->lock, (long)(left < 1000 ? left : 1000));
    }
    if (s->woken) {
        event = STREAM_WAKE;
    } else if (s->taken < s->used) {
        *len = s->used - s->taken < room ? s->used - s->taken : room;
        memcpy(into, s->bytes + s->taken, *len);
        s->taken += *len;
        event = STREAM_BYTES;
        condition_signal_all(&s->changed);
    } else if (s->ended) {
        event = STREAM_END;
    }
    mutex_unlock(&s->lock);
    return event;
}

void stream_wake(Stream *s)
{
    condition_set(&s->changed, &s->lock, &s->woken);
}

bool stream_take_wake(Stream *s)
{
    mutex_lock(&s->lock);
    bool woken = s->woken;
    s->woken = false;
    mutex_unlock(&s->lock);
    return woken;
}
