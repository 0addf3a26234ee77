#include "base/state_file.h"

#include "base/file.h"

#include <math.h>
#include <stdlib.h>

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

bool state_real(Span *rest, double *out)
{
    Span word;
    return span_next_word(rest, &word) && span_to_double(word, out) && isfinite(*out);
}
