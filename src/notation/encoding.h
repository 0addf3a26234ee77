/* Old chess files are in Latin-1, new ones in UTF-8, and nothing in them says which. */
#ifndef NOTATION_ENCODING_H
#define NOTATION_ENCODING_H

#include "base/text.h"

/* True when the text is well-formed UTF-8 (plain ASCII included). */
bool encoding_is_utf8(Span s);

/* Adds the text as UTF-8: as it is when it is that already, otherwise read as Latin-1. */
void encoding_add_utf8(Text *out, Span s);

#endif
