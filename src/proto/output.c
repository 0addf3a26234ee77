#include "proto/output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void output_open(Output *o, int fd)
{
    mutex_init(&o->lock);
    o->fd = fd;
    o->error = 0;
}

void output_close(Output *o)
{
    mutex_free(&o->lock);
}

/* Writes all of it; a reader that is gone is noticed by the end of input, not here. */
static void write_all(Output *o, const char *at, size_t len)
{
    while (len) {
        ssize_t done = write(o->fd, at, len);
        if (done < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = o->fd, .events = POLLOUT};
            poll(&ready, 1, -1);
            continue;
        }
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            if (!o->error && errno != EPIPE)
                o->error = errno;
            return;
        }
        at += done;
        len -= (size_t)done;
    }
}

Status output_status(Output *o, Message *why)
{
    mutex_lock(&o->lock);
    int error = o->error;
    mutex_unlock(&o->lock);
    return error ? status_fail(why, STATUS_IO, "%s", strerror(error)) : STATUS_OK;
}

void output_text(Output *o, const Text *text)
{
    if (text->failed)
        return;
    mutex_lock(&o->lock);
    write_all(o, text->at, text->len);
    mutex_unlock(&o->lock);
}

void output_line(Output *o, const char *format, ...)
{
    char line[2048];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (len < 0)
        return;
    if ((size_t)len > sizeof line - 2)
        len = sizeof line - 2;
    line[len] = '\n';
    mutex_lock(&o->lock);
    write_all(o, line, (size_t)len + 1);
    mutex_unlock(&o->lock);
}
