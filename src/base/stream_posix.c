#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Stream {
    int fd;
    int wake[2]; /* a pipe: read end, write end */
};

Status stream_open(Stream **out, int fd, Message *why)
{
    Stream *s = malloc(sizeof *s);
    *out = NULL;
    if (!s)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a stream");
    s->fd = fd;
    if (pipe2(s->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        free(s);
        return status_fail(why, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    }
    *out = s;
    return STATUS_OK;
}

void stream_close(Stream *s)
{
    if (!s)
        return;
    close(s->wake[0]);
    close(s->wake[1]);
    free(s);
}

void stream_wake(Stream *s)
{
    /* A full pipe wakes as well as a fuller one. */
    if (write(s->wake[1], "w", 1) < 0)
        return;
}

bool stream_take_wake(Stream *s)
{
    char bytes[64];
    bool woken = false;
    while (read(s->wake[0], bytes, sizeof bytes) > 0)
        woken = true;
    return woken;
}

StreamEvent stream_read(Stream *s, void *into, size_t room, size_t *len, int64_t ms)
{
    struct pollfd ready[2] = {{.fd = s->fd, .events = POLLIN},
                              {.fd = s->wake[0], .events = POLLIN}};
    *len = 0;
    int count = poll(ready, 2, ms < 0 ? -1 : ms > INT_MAX ? INT_MAX : (int)ms);
    if (count > 0 && ready[1].revents)
        return STREAM_WAKE;
    if (count <= 0)
        return STREAM_TIME;
    ssize_t got = read(s->fd, into, room);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return STREAM_TIME;
    *len = got > 0 ? (size_t)got : 0;
    return got > 0 ? STREAM_BYTES : STREAM_END;
}

bool stream_wait(Stream *s, int ms)
{
    struct pollfd ready[2] = {{.fd = s->fd, .events = POLLIN},
                              {.fd = s->wake[0], .events = POLLIN}};
    if (poll(ready, 2, ms) < 0)
        return errno == EINTR; /* perhaps another size of the window */
    if (ready[0].revents & (POLLHUP | POLLERR | POLLNVAL))
        return false;
    stream_take_wake(s);
    return true;
}
