#include "notation/annotation.h"

#include <inttypes.h>
#include <string.h>

enum { MS_PER_SECOND = 1000, BIGGEST_SECONDS = 1000000 };

/* -- Finding commands -- */

/* The next "[%...]" from *rest on, brackets included; *rest becomes what follows. */
static bool next_command(Span *rest, Span *command)
{
    const char *at = rest->at, *end = rest->at + rest->len;
    while ((at = memchr(at, '[', (size_t)(end - at)))) {
        if (end - at > 1 && at[1] == '%') {
            const char *close = memchr(at, ']', (size_t)(end - at));
            if (!close)
                return false;
            *command = (Span){at, (size_t)(close - at) + 1};
            *rest = (Span){close + 1, (size_t)(end - close) - 1};
            return true;
        }
        at++;
    }
    return false;
}

bool annotation_find(Span comment, const char *name, Span *value)
{
    Span command;
    while (next_command(&comment, &command)) {
        Span inner = {command.at + 2, command.len - 3}, word;
        if (span_next_word(&inner, &word) && span_is(word, name)) {
            *value = span_trim(inner);
            return true;
        }
    }
    return false;
}

/* -- Reading values -- */

/* The text before the separator; all of it when there is none. */
static Span cut(Span *rest, char separator)
{
    const char *at = rest->len ? memchr(rest->at, separator, rest->len) : NULL;
    Span first = {rest->at, at ? (size_t)(at - rest->at) : rest->len};
    size_t gone = at ? first.len + 1 : first.len;
    rest->at += gone;
    rest->len -= gone;
    return first;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool annotation_time(Span comment, const char *name, int64_t *ms)
{
    Span text;
    if (!annotation_find(comment, name, &text))
        return false;
    int64_t whole = 0;
    for (int parts = 0; memchr(text.at, ':', text.len); parts++) {
        int64_t part;
        Span word = cut(&text, ':');
        if (parts == 2 || !span_to_int64(word, 0, 100000, &part))
            return false;
        whole = (whole + part) * 60;
    }
    double seconds;
    if (!text.len || !is_digit(text.at[0]) || !span_to_double(text, &seconds) || seconds > 1e9)
        return false;
    *ms = whole * MS_PER_SECOND + (int64_t)(seconds * MS_PER_SECOND + 0.5);
    return true;
}

bool annotation_time_control(Span value, int64_t *initial_ms, int64_t *increment_ms)
{
    bool has_increment = value.len && memchr(value.at, '+', value.len);
    Span first = cut(&value, '+');
    int64_t initial, increment = 0;
    if (!span_to_int64(first, 0, BIGGEST_SECONDS, &initial) ||
        (has_increment && !span_to_int64(value, 0, BIGGEST_SECONDS, &increment)) ||
        initial + increment == 0)
        return false;
    *initial_ms = initial * MS_PER_SECOND;
    *increment_ms = increment * MS_PER_SECOND;
    return true;
}

/* -- Writing -- */

void annotation_add_clock(Text *out, int64_t ms)
{
    int64_t seconds = ms > 0 ? ms / MS_PER_SECOND : 0;
    text_addf(out, "[%%clk %" PRId64 ":%02d:%02d]", seconds / 3600, (int)(seconds / 60 % 60),
              (int)(seconds % 60));
}

void annotation_add_eval(Text *out, AnnotationScore score)
{
    int size = score.value < 0 ? -score.value : score.value;
    if (score.is_mate)
        text_addf(out, "[%%eval #%d", score.value);
    else
        text_addf(out, "[%%eval %s%d.%02d", score.value < 0 ? "-" : "", size / 100, size % 100);
    if (score.depth >= 0)
        text_addf(out, ",%d", score.depth);
    text_add_char(out, ']');
}
