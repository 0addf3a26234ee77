#include "proto/output.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
    if (!file_write_all(o->fd, at, len) && !o->error && errno != EPIPE)
        o->error = errno;
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
