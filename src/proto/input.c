#include "proto/input.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

Status input_open(Input *in, int fd, Message *why)
{
    *in = (Input){.fd = fd};
    if (pipe2(in->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return status_fail(why, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    text_init(&in->held);
    return STATUS_OK;
}

void input_close(Input *in)
{
    close(in->wake[0]);
    close(in->wake[1]);
    text_free(&in->held);
}

void input_wake(Input *in)
{
    /* A full pipe wakes as well as a fuller one. */
    if (write(in->wake[1], "w", 1) < 0)
        return;
}

/* The next whole line of what is held; at the end of input also an unfinished one. */
static bool cut_line(Input *in, Span *line)
{
    Span rest = {in->held.at + in->used, in->held.len - in->used};
    bool whole = rest.len && memchr(rest.at, '\n', rest.len) != NULL;
    if (!whole && !(in->ended && rest.len))
        return false;
    span_next_line(&rest, line);
    in->used = in->held.len - rest.len;
    return true;
}

/* Forgets what was handed out; a line that has grown too long is dropped up to its end. */
static void tidy(Input *in)
{
    size_t left = in->held.len - in->used;
    if (left >= INPUT_LONGEST_LINE) {
        in->skipping = in->dropped = true;
        left = 0;
    }
    if (left && in->used)
        memmove(in->held.at, in->held.at + in->used, left);
    if (in->held.room) {
        in->held.len = left;
        in->held.at[left] = '\0';
    }
    in->used = 0;
}

static void take_bytes(Input *in, const char *at, size_t len)
{
    if (in->skipping) {
        const char *end = memchr(at, '\n', len);
        if (!end)
            return;
        in->skipping = false;
        len -= (size_t)(end + 1 - at);
        at = end + 1;
    }
    text_add(&in->held, at, len);
    if (in->held.failed) {
        text_clear(&in->held);
        in->used = 0;
        in->skipping = in->dropped = true;
    }
}

static void read_more(Input *in)
{
    char bytes[1 << 16];
    ssize_t len = read(in->fd, bytes, sizeof bytes);
    in->arrived_ms = clock_now_ms();
    if (len > 0)
        take_bytes(in, bytes, (size_t)len);
    else if (len == 0 || (errno != EINTR && errno != EAGAIN))
        in->ended = true;
}

static bool take_wake(Input *in)
{
    char bytes[64];
    bool woken = false;
    while (read(in->wake[0], bytes, sizeof bytes) > 0)
        woken = true;
    return woken;
}

static int poll_time(int64_t ms)
{
    return ms < 0 ? -1 : ms > INT_MAX ? INT_MAX : (int)ms;
}

InputEvent input_next_within(Input *in, int64_t ms, Span *line)
{
    int64_t end = clock_now_ms() + ms;
    for (;;) {
        if (take_wake(in))
            return INPUT_WAKE;
        if (cut_line(in, line))
            return INPUT_LINE;
        tidy(in);
        if (in->dropped) {
            in->dropped = false;
            return INPUT_TOO_LONG;
        }
        if (in->ended)
            return INPUT_END;
        int64_t left = ms < 0 ? -1 : end - clock_now_ms();
        if (ms >= 0 && left < 0)
            return INPUT_TIME;
        struct pollfd ready[2] = {{.fd = in->fd, .events = POLLIN},
                                  {.fd = in->wake[0], .events = POLLIN}};
        if (poll(ready, 2, poll_time(left)) > 0 && ready[0].revents)
            read_more(in);
        else if (ms >= 0 && clock_now_ms() >= end && !ready[1].revents)
            return INPUT_TIME;
    }
}

InputEvent input_next(Input *in, Span *line)
{
    return input_next_within(in, -1, line);
}
