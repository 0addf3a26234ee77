#include "notation/json_value.h"

#include "notation/encoding.h"

#include <math.h>

enum { DIGITS = 12 };

json_t *value_span(Span text)
{
    json_t *value = json_stringn(text.at, text.len);
    if (value)
        return value;
    Text utf8 = text_new();
    value = encoding_to_utf8(&utf8, &text) ? json_stringn(text.at, text.len) : NULL;
    text_free(&utf8);
    return value;
}

json_t *value_text(const char *text)
{
    return text ? value_span(span_of(text)) : json_null();
}

json_t *value_tenths(double value)
{
    return json_real(isfinite(value) ? round(value * 10) / 10 : 0);
}

json_t *value_number(int64_t n, bool is_there)
{
    return is_there ? json_integer(n) : json_null();
}

char *value_dump(const json_t *value)
{
    return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(DIGITS));
}
