#include "study/quote.h"

/* Bytes of the UTF-8 sequence that begins here; 0 when it is none. */
static size_t sequence_length(Span s)
{
    const unsigned char *at = (const unsigned char *)s.at;
    size_t len = at[0] < 0x80                    ? 1
                 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                 : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                 : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                 : 0;
    if (len > s.len)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    bool beyond = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f);
    return len > 1 && (overlong || beyond) ? 0 : len;
}

void quote_json(Text *out, Span text)
{
    text_add_char(out, '"');
    while (text.len) {
        size_t len = sequence_length(text);
        unsigned char c = (unsigned char)text.at[0];
        if (len == 0)
            text_add_str(out, "\\ufffd");
        else if (c == '"' || c == '\\')
            text_addf(out, "\\%c", c);
        else if (c < 0x20 || c == '<' || c == 0x7f)
            text_addf(out, "\\u%04x", c);
        else
            text_add(out, text.at, len);
        text.at += len ? len : 1;
        text.len -= len ? len : 1;
    }
    text_add_char(out, '"');
}

void quote_html(Text *out, Span text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if (c == '<')
            text_add_str(out, "&lt;");
        else if (c == '>')
            text_add_str(out, "&gt;");
        else if (c == '&')
            text_add_str(out, "&amp;");
        else if (c == '"')
            text_add_str(out, "&quot;");
        else if ((unsigned char)c >= 0x20)
            text_add_char(out, c);
        else
            text_add_char(out, ' ');
    }
}
