/* Text encoding: PGN files are Latin-1 or UTF-8 and do not say which. */
#ifndef NOTATION_ENCODING_H
#define NOTATION_ENCODING_H

#include "base/text.h"

/* True when the text is valid UTF-8 (ASCII included). */
bool encoding_is_utf8(Span s);

/* Appends the text as UTF-8; text that is not UTF-8 is taken for Latin-1. */
void encoding_add_utf8(Text *out, Span s);

/* Replaces *s by its UTF-8 form in `buffer` when it is not UTF-8 already. False: not enough memory.
 */
bool encoding_to_utf8(Text *buffer, Span *s);

#endif
