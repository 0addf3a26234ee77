#include "notation/opening_data_int.h"

#include "base/embed.h"

EMBED_FILE(opening_table, "data/openings.tsv");

Span opening_data(void)
{
    return EMBED_SPAN(opening_table);
}
