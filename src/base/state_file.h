/* State files of long work are lines of a word and its values. These read them; each returns false,
 * and the file is damaged, when something else stands there. */
#ifndef BASE_STATE_FILE_H
#define BASE_STATE_FILE_H

#include "base/status.h"
#include "base/text.h"

#include <stddef.h>

/* Reads the file and gives its text to `read`; the message says that it is not `what` where that
 * returns false. */
Status state_read(const char *path, const char *what, bool (*read)(void *state, Span text),
                  void *state, Message *why);

/* Cuts off the next line, which must begin with that word; *rest is what follows. */
bool state_line(Span *text, const char *name, Span *rest);

/* A line of a word and a number. */
bool state_line_count(Span *text, const char *name, uint64_t *out);

/* The next value of a line. */
bool state_int(Span *rest, int64_t min, int64_t max, int64_t *out);
bool state_count(Span *rest, uint64_t *out);
bool state_real(Span *rest, double *out); /* finite */

/* A number of a struct, in a line of its own; tables of them end with {0}. */
typedef struct StateField {
    const char *name;
    size_t offset; /* of an int64_t */
    int64_t min, max;
} StateField;

int64_t state_field_value(const StateField *field, const void *from);
void state_write_fields(const StateField *fields, const void *from, Text *out);
bool state_read_field(const StateField *field, void *into, Span *text);

#endif
