/* data/book.bin, embedded. */
#ifndef BOOK_BOOK_DATA_INT_H
#define BOOK_BOOK_DATA_INT_H

#include "base/text.h"

Span book_data(void);

#endif
