/* The bytes of data/openings.tsv inside the program. */
#ifndef NOTATION_OPENING_DATA_INT_H
#define NOTATION_OPENING_DATA_INT_H

#include "base/text.h"

Span opening_data(void);

#endif
