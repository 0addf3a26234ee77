#include "base/state_file.h"

#include "base/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_LIMIT = 64 << 20 };

Status state_read(const char *path, const char *what, bool (*read)(void *state, Span text),
                  void *state, Message *why)
{
    char *text;
    size_t len;
    Status s = file_read(&text, &len, path, STATE_LIMIT, why);
    if (s != STATUS_OK)
        return s;
    if (!read(state, (Span){text, len}))
        s = status_fail(why, STATUS_INVALID, "%s: not %s, or damaged", path, what);
    free(text);
    return s;
}

bool state_line(Span *text, const char *name, Span *rest)
{
    Span word;
    return span_next_line(text, rest) && span_next_word(rest, &word) && span_is(word, name);
}

bool state_int(Span *rest, int64_t min, int64_t max, int64_t *out)
{
    Span word;
    return span_next_word(rest, &word) && span_to_int64(word, min, max, out);
}

bool state_count(Span *rest, uint64_t *out)
{
    int64_t value;
    if (!state_int(rest, 0, INT64_MAX, &value))
        return false;
    *out = (uint64_t)value;
    return true;
}

bool state_line_count(Span *text, const char *name, uint64_t *out)
{
    Span rest;
    return state_line(text, name, &rest) && state_count(&rest, out);
}

bool state_real(Span *rest, double *out)
{
    Span word;
    return span_next_word(rest, &word) && span_to_double(word, out) && isfinite(*out);
}

int64_t state_field_value(const StateField *f, const void *from)
{
    int64_t value;
    memcpy(&value, (const char *)from + f->offset, sizeof value);
    return value;
}

void state_write_fields(const StateField *fields, const void *from, Text *out)
{
    for (const StateField *f = fields; f->name; f++)
        text_addf(out, "%s %" PRId64 "\n", f->name, state_field_value(f, from));
}

bool state_read_field(const StateField *f, void *into, Span *text)
{
    Span rest;
    int64_t value;
    if (!state_line(text, f->name, &rest) || !state_int(&rest, f->min, f->max, &value))
        return false;
    memcpy((char *)into + f->offset, &value, sizeof value);
    return true;
}
