#include "notation/window.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_EVERY_MS = 50 };

/* The first byte of the buffer is a line feed before the first line. */
static Status window_init(Window *w, Message *why)
{
    *w = (Window){.fd = -1, .lines = 1};
    w->room = 2 * WINDOW_STEP;
    w->buffer = malloc(1 + w->room + 1);
    if (!w->buffer)
        return status_fail(why, STATUS_MEMORY, "not enough memory to read");
    w->buffer[0] = '\n';
    w->buffer[1] = '\0';
    w->at = w->end = w->counted = w->buffer + 1;
    return STATUS_OK;
}

static void skip_byte_order_mark(Window *w)
{
    static const char mark[3] = {'\xef', '\xbb', '\xbf'};
    window_need(w, sizeof mark);
    if ((size_t)(w->end - w->at) < sizeof mark || memcmp(w->at, mark, sizeof mark) != 0)
        return;
    size_t left = (size_t)(w->end - w->at) - sizeof mark;
    memmove(w->buffer + 1, w->at + sizeof mark, left + 1);
    w->end = w->at + left;
    w->dropped += sizeof mark;
}

static Status open_descriptor(Window *w, const char *path, Message *why)
{
    bool is_stdin = strcmp(path, "-") == 0;
    /* A named pipe that nobody writes to would block in open; poll waits for the writer, too. */
    int flags = O_RDONLY | O_CLOEXEC | (w->stop ? O_NONBLOCK : 0);
    w->fd = is_stdin ? dup(0) : open(path, flags);
    if (w->fd < 0)
        return status_fail(why, errno == ENOENT ? STATUS_MISSING : STATUS_IO, "%s: %s", path,
                           strerror(errno));
    return STATUS_OK;
}

Status window_open(Window *w, const char *path, const atomic_bool *stop, Message *why)
{
    Status s = window_init(w, why);
    w->stop = stop;
    if (s == STATUS_OK)
        s = open_descriptor(w, path, why);
    if (s == STATUS_OK) {
        skip_byte_order_mark(w);
        s = window_status(w, path, why);
    }
    if (s != STATUS_OK)
        window_close(w);
    return s;
}

Status window_open_text(Window *w, Span text, Message *why)
{
    Status s = window_init(w, why);
    if (s != STATUS_OK)
        return s;
    w->memory = text;
    skip_byte_order_mark(w);
    return STATUS_OK;
}

void window_close(Window *w)
{
    if (w->fd >= 0)
        close(w->fd);
    free(w->buffer);
    *w = (Window){.fd = -1};
}

/* A loop the compiler can vectorise: whole files go through it. */
static uint64_t count_line_feeds(const char *from, const char *to)
{
    uint64_t count = 0;
    for (; from < to; from++)
        count += *from == '\n';
    return count;
}

static void count_up_to(Window *w, const char *to)
{
    if (to > w->counted) {
        w->lines += count_line_feeds(w->counted, to);
        w->counted = to;
    }
}

static void drop_what_was_read(Window *w)
{
    size_t gone = (size_t)(w->at - w->buffer) - 1;
    if (!gone)
        return;
    count_up_to(w, w->at);
    memmove(w->buffer, w->at - 1, (size_t)(w->end - w->at) + 2);
    w->at -= gone;
    w->end -= gone;
    w->counted -= gone;
    w->dropped += gone;
}

/* A token fills the whole buffer: doubles it. False at the limit or when memory ran out. */
static bool grow(Window *w)
{
    size_t room = w->room * 2;
    if (room > WINDOW_LONGEST)
        return false;
    size_t at = (size_t)(w->at - w->buffer), end = (size_t)(w->end - w->buffer);
    size_t counted = (size_t)(w->counted - w->buffer);
    char *bigger = realloc(w->buffer, 1 + room + 1);
    if (!bigger)
        return false;
    w->buffer = bigger;
    w->room = room;
    w->at = bigger + at;
    w->end = bigger + end;
    w->counted = bigger + counted;
    return true;
}

/* Waits until there is something to read; false when *stop was set before. */
static bool wait_for_input(Window *w)
{
    while (w->stop && !atomic_load(w->stop))
        if (file_wait(w->fd, LOOK_EVERY_MS))
            return true;
    if (w->stop)
        w->error = ECANCELED;
    return !w->stop;
}

static size_t fetch(Window *w, char *into, size_t room)
{
    if (w->fd < 0) {
        size_t take = w->memory.len < room ? w->memory.len : room;
        if (take)
            memcpy(into, w->memory.at, take);
        w->memory.at += take;
        w->memory.len -= take;
        return take;
    }
    ssize_t got = -1;
    do {
        if (!wait_for_input(w))
            return 0;
        got = read(w->fd, into, room);
    } while (got < 0 && (errno == EINTR || (errno == EAGAIN && w->stop)));
    if (got < 0)
        w->error = errno;
    return got > 0 ? (size_t)got : 0;
}

bool window_more(Window *w)
{
    if (w->ended)
        return false;
    drop_what_was_read(w);
    size_t used = (size_t)(w->end - w->buffer);
    if (used == 1 + w->room && !grow(w))
        return false;
    size_t room = 1 + w->room - used;
    size_t got = fetch(w, w->buffer + used, room < WINDOW_STEP ? room : WINDOW_STEP);
    w->buffer[used + got] = '\0';
    w->end += got;
    w->ended = got == 0;
    return got > 0;
}

Status window_status(const Window *w, const char *name, Message *why)
{
    if (!w->error)
        return STATUS_OK;
    if (w->error == ECANCELED)
        return status_fail(why, STATUS_STOPPED, "%s: interrupted", name);
    return status_fail(why, STATUS_IO, "%s: %s", name, strerror(w->error));
}

uint64_t window_line(Window *w)
{
    count_up_to(w, w->at);
    return w->lines;
}
