/* JSON values beside those that jansson makes. */
#ifndef NOTATION_JSON_VALUE_H
#define NOTATION_JSON_VALUE_H

#include "base/text.h"

#include <jansson.h>

json_t *value_text(const char *text); /* what is not UTF-8 is read as Latin-1; NULL: null */
json_t *value_span(Span text);        /* the same */
json_t *value_tenths(double value);   /* rounded to one decimal; not finite: 0 */
json_t *value_number(int64_t n, bool is_there); /* or null */

/* Without white space; NULL without memory. The caller frees it. */
char *value_dump(const json_t *value);

#endif
