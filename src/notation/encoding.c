#include "notation/encoding.h"

/* The sequences of UTF-8 of more than one byte: overlong forms, surrogates and code points above
 * U+10FFFF are left out by the range of the second byte. */
static const struct Sequence {
    unsigned char first, last, second_first, second_last;
    size_t len;
} sequences[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static bool sequence_fits(const struct Sequence *s, const unsigned char *at, size_t left)
{
    if (left < s->len || at[0] < s->first || at[0] > s->last || at[1] < s->second_first ||
        at[1] > s->second_last)
        return false;
    for (size_t i = 2; i < s->len; i++)
        if ((at[i] & 0xc0) != 0x80)
            return false;
    return true;
}

/* The length of the sequence at the front of the text, 0 if there is none. */
static size_t sequence_length(const unsigned char *at, size_t left)
{
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        if (sequence_fits(&sequences[i], at, left))
            return sequences[i].len;
    return at[0] < 0x80;
}

static bool is_ascii(Span s)
{
    unsigned char seen = 0;
    for (size_t i = 0; i < s.len; i++)
        seen |= (unsigned char)s.at[i];
    return seen < 0x80;
}

bool encoding_is_utf8(Span s)
{
    if (is_ascii(s))
        return true;
    const unsigned char *at = (const unsigned char *)s.at;
    for (size_t i = 0; i < s.len;) {
        size_t len = sequence_length(at + i, s.len - i);
        if (!len)
            return false;
        i += len;
    }
    return true;
}

void encoding_add_utf8(Text *out, Span s)
{
    if (encoding_is_utf8(s)) {
        text_add(out, s.at, s.len);
        return;
    }
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        char pair[2] = {(char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f))};
        text_add(out, c < 0x80 ? s.at + i : pair, c < 0x80 ? 1 : 2);
    }
}

bool encoding_to_utf8(Text *buffer, Span *s)
{
    if (encoding_is_utf8(*s))
        return true;
    text_clear(buffer);
    encoding_add_utf8(buffer, *s);
    *s = (Span){buffer->at, buffer->len};
    return !buffer->failed;
}
