/* Bytes from a pipe, a terminal or a file, waited for with a time limit; other threads can end the
 * wait. */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Stream Stream;

typedef enum StreamEvent {
    STREAM_BYTES,
    STREAM_WAKE, /* stream_wake was called; stream_take_wake has not been yet */
    STREAM_TIME, /* nothing came in time */
    STREAM_END   /* the end, or an error */
} StreamEvent;

Status stream_open(Stream **s, int fd, Message *why); /* the descriptor stays the caller's */
void stream_close(Stream *s);                         /* NULL is allowed */

/* Waits at most `ms` (negative: without limit) and reads what is there. */
StreamEvent stream_read(Stream *s, void *into, size_t room, size_t *len, int64_t ms);

#if !defined(_WIN32)
/* The same for bytes that somebody else reads: waits until some are there, or for a wake, which is
 * taken. False: there will be no more. */
bool stream_wait(Stream *s, int ms);
#endif

void stream_wake(Stream *s);      /* from any thread */
bool stream_take_wake(Stream *s); /* whether there was one since the last call */

#endif
