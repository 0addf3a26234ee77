/* data/openings.tsv, embedded. */
#ifndef NOTATION_OPENING_DATA_INT_H
#define NOTATION_OPENING_DATA_INT_H

#include "base/text.h"

Span opening_data(void);

#endif
