/* A program started by this one, on two pipes. Ctrl-C does not reach it, and what it has started
 * ends with it. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/status.h"
#include "base/stream.h"

typedef struct Child Child;

/* `words`: the program and its arguments, ended by NULL; `dir`: where it runs, or NULL. Its error
 * output goes nowhere. */
Status child_start(Child **c, char *const words[], const char *dir, Message *why);

/* Kills it, and frees all; NULL is allowed. */
void child_end(Child *c);

/* True when it exits within `ms`. */
bool child_exits_within(Child *c, int64_t ms);

/* Writes all; false when the program is gone, or reads nothing for `ms`. */
bool child_write(Child *c, const char *bytes, size_t len, int64_t ms);

StreamEvent child_read(Child *c, void *into, size_t size, size_t *len, int64_t ms);

#endif
