/* The programs that play: lines to them and from them. */
#include "match/player_int.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_MAX_BYTES = 1 << 16, DECLARED_MAX_BYTES = 1 << 20, QUIT_MS = 500, SEND_MS = 2000 };

Status process_start(PlayerProcess *pr, const PlayerSpec *spec, Message *why)
{
    *pr = (PlayerProcess){.declared = text_new()};
    pr->buffer = malloc(LINE_MAX_BYTES);
    if (!pr->buffer)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %s", spec->words[0]);
    return child_start(&pr->child, spec->words, spec->dir, why);
}

void process_end(PlayerProcess *pr, const char *farewell)
{
    if (pr->child && farewell && process_send(pr, "%s", farewell))
        child_exits_within(pr->child, QUIT_MS);
    child_end(pr->child);
    free(pr->buffer);
    text_free(&pr->declared);
    *pr = (PlayerProcess){0};
}

/* -- Lines -- */

bool process_send_text(PlayerProcess *pr, const Text *line)
{
    return pr->child && !line->failed && child_write(pr->child, line->at, line->len, SEND_MS) &&
           child_write(pr->child, "\n", 1, SEND_MS);
}

bool process_send(PlayerProcess *pr, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof line - 1 || !pr->child)
        return false;
    line[len] = '\n';
    return child_write(pr->child, line, (size_t)len + 1, SEND_MS);
}

/* A whole line from the buffer. A line that fills it is handed out cut, and its rest dropped. */
static bool take_line(PlayerProcess *pr, Span *line)
{
    for (;;) {
        const char *from = pr->buffer + pr->start;
        size_t len = pr->used - pr->start;
        const char *end = memchr(from, '\n', len);
        if (!end && len < LINE_MAX_BYTES)
            return false;
        bool rest_of_overlong = pr->overlong;
        pr->overlong = !end;
        len = end ? (size_t)(end - from) : len;
        pr->start += end ? len + 1 : len;
        if (!rest_of_overlong) {
            *line = span_trim((Span){from, len});
            return true;
        }
    }
}

/* Makes room behind what is in the buffer. */
static void move_up(PlayerProcess *pr)
{
    pr->used -= pr->start;
    memmove(pr->buffer, pr->buffer + pr->start, pr->used);
    pr->start = 0;
}

/* After `until_ns` nothing more is read: a program that talks without end must not hold us. What
 * came too late to be read by then is late anyway. */
Status process_line(PlayerProcess *pr, int64_t until_ns, const atomic_bool *stop, Span *line)
{
    for (;;) {
        if (take_line(pr, line))
            return STATUS_OK;
        if (atomic_load(stop))
            return STATUS_STOPPED;
        int64_t left_ns = until_ns - clock_now_ns();
        if (left_ns <= 0)
            return STATUS_MISSING;
        move_up(pr);
        int64_t left_ms = left_ns / 1000000 + 1;
        size_t got;
        StreamEvent event = child_read(pr->child, pr->buffer + pr->used, LINE_MAX_BYTES - pr->used,
                                       &got, left_ms < PLAYER_POLL_MS ? left_ms : PLAYER_POLL_MS);
        pr->used += got;
        if (event == STREAM_END)
            return STATUS_END;
    }
}

/* -- Options -- */

void process_declare(PlayerProcess *pr, Span name)
{
    if (pr->declared.len > DECLARED_MAX_BYTES)
        return;
    text_add_char(&pr->declared, '\n');
    text_add(&pr->declared, name.at, name.len);
    text_add_char(&pr->declared, '\n');
}

bool process_declares(const PlayerProcess *pr, Span name, bool ignoring_case)
{
    Span rest = {pr->declared.at, pr->declared.len}, line;
    while (span_next_line(&rest, &line))
        if (name.len && line.len == name.len &&
            (ignoring_case ? strncasecmp(line.at, name.at, name.len)
                           : memcmp(line.at, name.at, name.len)) == 0)
            return true;
    return false;
}

/* -- Ends -- */

PlayerEnd process_illegal(PlayerMove *out, const char *verb, Span text)
{
    char shown[64];
    span_show(text, shown, sizeof shown);
    status_fail(&out->why, STATUS_INVALID, "%s '%s'", verb, shown);
    return PLAYER_ILLEGAL;
}

PlayerEnd process_end_of(Status status, PlayerMove *out)
{
    if (status == STATUS_STOPPED)
        return PLAYER_ABORTED;
    bool crashed = status == STATUS_END;
    status_fail(&out->why, status, crashed ? "the program ended" : "no answer");
    return crashed ? PLAYER_CRASHED : PLAYER_HUNG;
}
