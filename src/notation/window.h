/* A window on a file of any size, in memory of constant size: what was read is dropped, the next
 * bytes are read ahead. The reader scans [at, end) and moves `at` forward; *end is always a zero
 * byte and at[-1] the byte before, so that scanning loops need no bounds. */
#ifndef NOTATION_WINDOW_H
#define NOTATION_WINDOW_H

#include "base/status.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WINDOW_LONGEST = 1 << 20, /* the longest token */
    WINDOW_STEP = 1 << 16     /* bytes per read: small enough for the cache */
};

typedef struct Window {
    const char *at, *end;
    bool ended;              /* there is nothing after `end` */
    int error;               /* errno of a failed read; the text ends there. ECANCELED: stopped */
    char *buffer;            /* `room` bytes, one before and a zero after; grows for a long token */
    size_t room;             /* at most WINDOW_LONGEST */
    int fd;                  /* -1: text from memory */
    const atomic_bool *stop; /* stops waiting and reading; may be NULL */
    Span memory;             /* the rest of that text */
    uint64_t dropped;        /* bytes of the file before `buffer` */
    uint64_t lines;          /* the line number of `counted` */
    const char *counted;
} Window;

/* From a file; "-" is standard input. Or from text that outlives the window. STATUS_STOPPED: *stop
 * was set (by another thread; NULL: never) while waiting for a pipe or a terminal. */
Status window_open(Window *w, const char *path, const atomic_bool *stop, Message *why);
Status window_open_text(Window *w, Span text, Message *why);
void window_close(Window *w);

/* STATUS_OK, or the read error, or STATUS_STOPPED. */
Status window_status(const Window *w, const char *name, Message *why);

/* Reads more, keeping the bytes from `at` on: pointers into the window move as `at` does. False at
 * the end of the file or when the window is full. */
bool window_more(Window *w);

/* Makes `bytes` bytes available, or all that are left. */
static inline void window_need(Window *w, size_t bytes)
{
    while ((size_t)(w->end - w->at) < bytes && window_more(w)) {
    }
}

/* The line number of `at`, from 1. */
uint64_t window_line(Window *w);

/* The number of bytes of the file before `at`. */
static inline uint64_t window_offset(const Window *w)
{
    return w->dropped + (uint64_t)(w->at - w->buffer) - 1;
}

#endif
