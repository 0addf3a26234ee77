#include "notation/pgn_value_int.h"

#include "notation/encoding.h"

#include <string.h>

/* -- Encoding -- */

static Status no_memory(Message *why)
{
    return status_fail(why, STATUS_MEMORY, "not enough memory");
}

Status pgn_text_decode(Text *buffer, Span *s, Message *why)
{
    if (encoding_is_utf8(*s))
        return STATUS_OK;
    text_clear(buffer);
    encoding_add_utf8(buffer, *s);
    *s = (Span){buffer->at, buffer->len};
    return buffer->failed ? no_memory(why) : STATUS_OK;
}

Status pgn_value_decode(Text *buffer, Span *s, Message *why)
{
    if (!memchr(s->at, '\\', s->len))
        return pgn_text_decode(buffer, s, why);
    bool utf8 = encoding_is_utf8(*s);
    text_clear(buffer);
    for (size_t i = 0; i < s->len; i++) {
        if (s->at[i] == '\\' && i + 1 < s->len && (s->at[i + 1] == '"' || s->at[i + 1] == '\\'))
            i++;
        if (utf8)
            text_add_char(buffer, s->at[i]);
        else
            encoding_add_utf8(buffer, (Span){s->at + i, 1});
    }
    *s = (Span){buffer->at, buffer->len};
    return buffer->failed ? no_memory(why) : STATUS_OK;
}

/* -- Variants -- */

/* Compares without case, blanks and punctuation. */
static bool variant_is(Span value, const char *letters)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.at[i];
        if (c >= 'A' && c <= 'Z')
            c = (unsigned char)(c - 'A' + 'a');
        if (c < 0x80 && (c < 'a' || c > 'z') && (c < '0' || c > '9'))
            continue;
        if (c != (unsigned char)*letters++)
            return false;
    }
    return !*letters;
}

PgnVariant pgn_variant(Span value)
{
    static const char *const standard[] = {"", "standard", "normal", "chess", "fromposition"};
    static const char *const chess960[] = {"chess960",
                                           "fischerandom",
                                           "fischerrandom",
                                           "fischerandomchess",
                                           "fischerrandomchess",
                                           "960",
                                           "frc",
                                           "doublefischerandom",
                                           "dfrc"};
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        if (variant_is(value, standard[i]))
            return PGN_VARIANT_STANDARD;
    for (size_t i = 0; i < sizeof chess960 / sizeof *chess960; i++)
        if (variant_is(value, chess960[i]))
            return PGN_VARIANT_CHESS960;
    return PGN_VARIANT_UNKNOWN;
}
