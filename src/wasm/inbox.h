/* Texts from JavaScript to the thread that works on them: the thread that runs JavaScript must
 * never wait. */
#ifndef WASM_INBOX_H
#define WASM_INBOX_H

#include "base/text.h"
#include "base/thread.h"

typedef struct Letter {
    struct Letter *next;
    int64_t arrived_ms;
    int kind; /* the sender's */
    size_t len;
    char text[]; /* a zero byte follows */
} Letter;

typedef struct Inbox {
    Mutex lock;
    Condition changed;
    Letter *first, *last;
} Inbox;

void inbox_init(Inbox *in);

/* From JavaScript's thread; false: no memory. */
bool inbox_put(Inbox *in, int kind, const char *text, size_t len);

/* Waits for the next letter, which the caller frees. */
Letter *inbox_take(Inbox *in);

#endif
