#include "study/quote.h"

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
