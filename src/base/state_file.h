/* State files of long work are lines of a word and its values. These read them; each returns false,
 * and the file is damaged, when something else stands there. */
#ifndef BASE_STATE_FILE_H
#define BASE_STATE_FILE_H

#include "base/status.h"
#include "base/text.h"

/* Reads the file and gives its text to `read`; the message says that it is not `what` where that
 * returns false. */
Status state_read(const char *path, const char *what, bool (*read)(void *state, Span text),
                  void *state, Message *why);

/* Cuts off the next line, which must begin with that word; *rest is what follows. */
bool state_line(Span *text, const char *name, Span *rest);

/* The next value of a line. */
bool state_int(Span *rest, int64_t min, int64_t max, int64_t *out);
bool state_count(Span *rest, uint64_t *out);
bool state_real(Span *rest, double *out); /* finite */

#endif
