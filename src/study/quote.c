#include "study/quote.h"

void quote_html(Text *out, Span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!text_add_entity(out, text.at[i]))
            text_add_char(out, (unsigned char)text.at[i] >= ' ' ? text.at[i] : ' ');
}
