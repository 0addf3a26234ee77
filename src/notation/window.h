/* A stretch of a file of any size, in memory of constant size: what was read is dropped, what comes
 * is read ahead. The reader looks at [at, end) directly and moves `at` forward; *end is always a
 * zero byte and at[-1] always the byte before, so that scanning loops need no bounds. */
#ifndef NOTATION_WINDOW_H
#define NOTATION_WINDOW_H

#include "base/status.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WINDOW_LONGEST = 1 << 20, /* no token can be longer than this */
    WINDOW_STEP = 1 << 16     /* bytes asked for at a time: small enough to stay in the cache */
};

typedef struct Window {
    const char *at, *end;
    bool ended;   /* nothing comes behind `end` any more */
    int error;    /* errno of a read that failed; the text ends there. ECANCELED: stopped */
    char *buffer; /* `room` bytes, and one before and a zero behind; grows for a long token */
    size_t room;  /* at most WINDOW_LONGEST */
    int fd;       /* -1: the text comes from memory */
    const atomic_bool *stop; /* ends waiting and reading; NULL: nothing does */
    Span memory;             /* what is still to come from there */
    uint64_t dropped;        /* bytes of the file before `buffer` */
    uint64_t lines;          /* the number of the line that `counted` is on */
    const char *counted;
} Window;

/* From a file; "-" is standard input. Or from text that outlives the window. STATUS_STOPPED: *stop was set
 * (by another thread; NULL: never) while waiting for a pipe or a terminal. */
Status window_open(Window *w, const char *path, const atomic_bool *stop, Message *why);
Status window_open_text(Window *w, Span text, Message *why);
void window_close(Window *w);

/* Whether the text ended because of an error, or was stopped. */
Status window_status(const Window *w, const char *name, Message *why);

/* Reads on, keeping what lies from `at` on: pointers into the window move by as much as `at` does.
 * False when the file has ended or the window is full. */
bool window_more(Window *w);

/* Makes sure that `bytes` lie ahead, or all that are left. */
static inline void window_need(Window *w, size_t bytes)
{
    while ((size_t)(w->end - w->at) < bytes && window_more(w)) {
    }
}

/* The number of the line that `at` is on, from 1. */
uint64_t window_line(Window *w);

/* How many bytes of the file lie before `at`. */
static inline uint64_t window_offset(const Window *w)
{
    return w->dropped + (uint64_t)(w->at - w->buffer) - 1;
}

#endif
