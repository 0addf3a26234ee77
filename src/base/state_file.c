#include "base/state_file.h"

#include <math.h>

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
