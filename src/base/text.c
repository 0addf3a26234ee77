#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

Span span_of(const char *text)
{
    return (Span){text, strlen(text)};
}

bool span_is(Span s, const char *text)
{
    return strlen(text) == s.len && memcmp(s.at, text, s.len) == 0;
}

bool span_is_ignoring_case(Span s, const char *text)
{
    return strlen(text) == s.len && strncasecmp(s.at, text, s.len) == 0;
}

bool span_starts(Span s, const char *prefix)
{
    size_t len = strlen(prefix);
    return s.len >= len && memcmp(s.at, prefix, len) == 0;
}

Span span_trim(Span s)
{
    while (s.len && is_blank(s.at[0]))
        s.at++, s.len--;
    while (s.len && is_blank(s.at[s.len - 1]))
        s.len--;
    return s;
}

bool span_next_word(Span *rest, Span *word)
{
    while (rest->len && is_blank(rest->at[0]))
        rest->at++, rest->len--;
    if (!rest->len)
        return false;
    word->at = rest->at;
    while (rest->len && !is_blank(rest->at[0]))
        rest->at++, rest->len--;
    word->len = (size_t)(rest->at - word->at);
    return true;
}

bool span_cut(Span *rest, char separator, Span *before)
{
    const char *at = rest->len ? memchr(rest->at, separator, rest->len) : NULL;
    *before = (Span){rest->at, at ? (size_t)(at - rest->at) : rest->len};
    rest->at += before->len + (at != NULL);
    rest->len -= before->len + (at != NULL);
    return at;
}

bool span_next_line(Span *rest, Span *line)
{
    if (!rest->len)
        return false;
    span_cut(rest, '\n', line);
    if (line->len && line->at[line->len - 1] == '\r')
        line->len--;
    return true;
}

/* For strtoll and strtod: they want an end, and skip blanks. */
static bool copy_number(Span s, char *copy, size_t size)
{
    if (s.len == 0 || s.len >= size || is_blank(s.at[0]))
        return false;
    memcpy(copy, s.at, s.len);
    copy[s.len] = '\0';
    return true;
}

bool span_to_int64(Span s, int64_t min, int64_t max, int64_t *out)
{
    char copy[32], *end;
    if (!copy_number(s, copy, sizeof copy))
        return false;
    errno = 0;
    long long value = strtoll(copy, &end, 10);
    if (errno || end != copy + s.len || value < min || value > max)
        return false;
    *out = value;
    return true;
}

bool span_to_double(Span s, double *out)
{
    char copy[64], *end;
    if (!copy_number(s, copy, sizeof copy))
        return false;
    double value = strtod(copy, &end);
    if (end != copy + s.len || !(value > -1e300 && value < 1e300))
        return false;
    *out = value;
    return true;
}

void span_show(Span s, char *out, size_t size)
{
    static const char CUT[] = "...";
    bool fits = s.len < size;
    size_t len = fits ? s.len : size - sizeof CUT;
    for (size_t i = 0; i < len; i++)
        out[i] = s.at[i] >= ' ' && s.at[i] <= '~' ? s.at[i] : '?';
    memcpy(out + len, fits ? "" : CUT, fits ? 1 : sizeof CUT);
}

/* An empty buffer needs no memory: `at` points here until something is added. */
static char *no_text(void)
{
    static const char empty[1] = "";
    union {
        const char *in;
        char *out;
    } cast = {empty};
    return cast.out;
}

void text_copy_utf8(char *out, size_t size, const char *text)
{
    size_t len = strlen(text);
    if (len >= size) {
        len = size - 1;
        while (len && ((unsigned char)text[len] & 0xC0) == 0x80)
            len--;
    }
    memcpy(out, text, len);
    out[len] = '\0';
}

Text text_new(void)
{
    return (Text){.at = no_text()};
}

void text_init(Text *t)
{
    *t = text_new();
}

void text_free(Text *t)
{
    if (t->room)
        free(t->at);
    text_init(t);
}

void text_clear(Text *t)
{
    t->len = 0;
    t->failed = false;
    if (t->room)
        t->at[0] = '\0';
}

static bool text_reserve(Text *t, size_t more)
{
    if (t->failed || more > SIZE_MAX / 4 - t->len)
        t->failed = true;
    if (t->failed)
        return false;
    size_t need = t->len + more + 1;
    if (need <= t->room)
        return true;
    size_t room = t->room ? t->room : 64;
    while (room < need)
        room *= 2;
    char *bigger = realloc(t->room ? t->at : NULL, room);
    if (!bigger) {
        t->failed = true;
        return false;
    }
    t->at = bigger;
    t->room = room;
    return true;
}

void text_add(Text *t, const char *bytes, size_t len)
{
    if (!text_reserve(t, len))
        return;
    if (len)
        memcpy(t->at + t->len, bytes, len);
    t->len += len;
    t->at[t->len] = '\0';
}

void text_add_str(Text *t, const char *text)
{
    text_add(t, text, strlen(text));
}

void text_add_char(Text *t, char c)
{
    text_add(t, &c, 1);
}

void text_addf(Text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0 || !text_reserve(t, (size_t)len))
        return;
    va_start(args, format);
    vsnprintf(t->at + t->len, (size_t)len + 1, format, args);
    va_end(args);
    t->len += (size_t)len;
}

bool text_add_entity(Text *t, char c)
{
    const char *entity = c == '<'   ? "&lt;"
                         : c == '>' ? "&gt;"
                         : c == '&' ? "&amp;"
                         : c == '"' ? "&quot;"
                                    : NULL;
    if (entity)
        text_add_str(t, entity);
    return entity != NULL;
}
