#include "notation/encoding.h"

/* The length of the UTF-8 sequence that `lead` starts, 0 if invalid. */
static size_t sequence_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

/* Overlong forms, surrogates and code points above U+10FFFF are visible in the second byte. */
static bool second_byte_fits(unsigned char lead, unsigned char second)
{
    switch (lead) {
    case 0xe0:
        return second >= 0xa0;
    case 0xed:
        return second < 0xa0;
    case 0xf0:
        return second >= 0x90;
    case 0xf4:
        return second < 0x90;
    default:
        return true;
    }
}

static bool sequence_is_whole(const unsigned char *at, size_t len)
{
    for (size_t i = 1; i < len; i++)
        if ((at[i] & 0xc0) != 0x80)
            return false;
    return len < 2 || second_byte_fits(at[0], at[1]);
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
        size_t len = sequence_length(at[i]);
        if (!len || len > s.len - i || !sequence_is_whole(at + i, len))
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
