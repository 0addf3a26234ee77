/* Small text helpers: growing buffers, tokens, numbers. They take lengths, never trust a
 * terminator that came from outside, and report failure instead of truncating silently. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of someone else's text. */
typedef struct Span {
    const char *at;
    size_t len;
} Span;

Span span_of(const char *text);
bool span_is(Span s, const char *text); /* exact comparison */
bool span_is_ignoring_case(Span s, const char *text);
bool span_starts(Span s, const char *prefix);
Span span_trim(Span s); /* without white space at both ends */

/* Cuts the next token (a run of non-blank characters) off the front of `rest`; false at the end. */
bool span_next_word(Span *rest, Span *word);

/* Cuts off what stands before the first `separator`, and that too; false: there is none, and the
 * whole rest was cut off. */
bool span_cut(Span *rest, char separator, Span *before);

/* Cuts off the next line (without its LF or CRLF); false at the end. */
bool span_next_line(Span *rest, Span *line);

/* The whole span as a decimal number (an optional sign first); false if it is anything else or out
 * of [min, max]. */
bool span_to_int64(Span s, int64_t min, int64_t max, int64_t *out);
bool span_to_double(Span s, double *out);

/* Text from outside as a message may show it, always terminated: what is not printable ASCII as
 * '?', and cut with "..." where it is longer than `size` (at least 4) bears. */
void span_show(Span s, char *out, size_t size);

/* Copies text into a buffer of `size` bytes, always terminated; where it is too long it is cut
 * between two characters of UTF-8. */
void text_copy_utf8(char *out, size_t size, const char *text);

/* A growing string. `failed` is set, and stays set, when memory ran out: check it once at the end.
 * `at` is always terminated (and never NULL after text_init). */
typedef struct Text {
    char *at;
    size_t len, room;
    bool failed;
} Text;

void text_init(Text *t);
Text text_new(void); /* an empty one */
void text_free(Text *t);
void text_clear(Text *t);
void text_add(Text *t, const char *bytes, size_t len);
void text_add_str(Text *t, const char *text);
void text_add_char(Text *t, char c);
void text_addf(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds <, >, & or " as HTML and SVG have to write it; false: c is none of them. */
bool text_add_entity(Text *t, char c);

#endif
