#include "proto/input.h"

#include "base/clock.h"

#include <string.h>

Status input_open(Input *in, int fd, Message *why)
{
    *in = (Input){0};
    text_init(&in->held);
    return stream_open(&in->stream, fd, why);
}

void input_close(Input *in)
{
    stream_close(in->stream);
    text_free(&in->held);
}

void input_wake(Input *in)
{
    stream_wake(in->stream);
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

/* Waits for bytes, for the end or for a wake, or until the time is over. */
static StreamEvent read_more(Input *in, int64_t ms)
{
    char bytes[1 << 16];
    size_t len;
    StreamEvent event = stream_read(in->stream, bytes, sizeof bytes, &len, ms);
    if (event == STREAM_BYTES || event == STREAM_END)
        in->arrived_ms = clock_now_ms();
    if (event == STREAM_BYTES)
        take_bytes(in, bytes, len);
    in->ended = event == STREAM_END;
    return event;
}

InputEvent input_next_within(Input *in, int64_t ms, Span *line)
{
    int64_t end = clock_now_ms() + ms;
    for (;;) {
        if (stream_take_wake(in->stream))
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
        if (read_more(in, left) == STREAM_TIME && ms >= 0 && clock_now_ms() >= end)
            return INPUT_TIME;
    }
}

InputEvent input_next(Input *in, Span *line)
{
    return input_next_within(in, -1, line);
}
