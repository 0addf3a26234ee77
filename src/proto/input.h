/* Lines in, of any length and with any bytes, and a way for other threads to wake the one that
 * waits for them. */
#ifndef PROTO_INPUT_H
#define PROTO_INPUT_H

#include "base/status.h"
#include "base/stream.h"
#include "base/text.h"

typedef struct Input {
    Stream *stream;
    Text held;   /* read and not yet handed out */
    size_t used; /* of held, handed out */
    bool ended, skipping;
    bool dropped;       /* a line was too long, and nobody was told yet */
    int64_t arrived_ms; /* clock_now_ms() when the last line was read */
} Input;

typedef enum InputEvent {
    INPUT_LINE,
    INPUT_WAKE, /* input_wake was called, once or more often */
    INPUT_TIME, /* input_next_within's time has passed */
    INPUT_TOO_LONG,
    INPUT_END
} InputEvent;

/* A line longer than this is dropped as a whole: INPUT_TOO_LONG comes in its place. */
enum { INPUT_LONGEST_LINE = 1 << 24 };

Status input_open(Input *in, int fd, Message *why); /* the descriptor stays the caller's */
void input_close(Input *in);

/* Waits for the next event. A line comes without its end (LF or CRLF) and is valid until the next
 * call; a last line without LF counts. */
InputEvent input_next(Input *in, Span *line);

/* The same, but waits no longer than `ms` milliseconds; negative: for ever. */
InputEvent input_next_within(Input *in, int64_t ms, Span *line);

/* From any thread: makes input_next return INPUT_WAKE. */
void input_wake(Input *in);

#endif
