/* Lines out: whole, in order, at once. Several threads may write. */
#ifndef PROTO_OUTPUT_H
#define PROTO_OUTPUT_H

#include "base/status.h"
#include "base/text.h"
#include "base/thread.h"

typedef struct Output {
    Mutex lock;
    int fd;
    int error; /* the first that kept something from being written; 0: none */
} Output;

void output_open(Output *o, int fd); /* the descriptor stays the caller's */
void output_close(Output *o);

/* STATUS_IO when something could not be written: a full disk. A reader that is gone
 * is no failure. */
Status output_status(Output *o, Message *why);

/* Writes the text as it is, which ends with a newline, in one piece. Nothing is written when the
 * text ran out of memory. */
void output_text(Output *o, const Text *text);

/* Writes one line; the newline is added. */
void output_line(Output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
