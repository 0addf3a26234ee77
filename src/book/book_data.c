#include "book/book_data_int.h"

#include "base/embed.h"

EMBED_FILE(book_bytes, "data/book.bin");

Span book_data(void)
{
    return EMBED_SPAN(book_bytes);
}
