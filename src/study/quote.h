/* Text of others inside a page or a JSON value. */
#ifndef STUDY_QUOTE_H
#define STUDY_QUOTE_H

#include "base/text.h"

/* As a JSON string, quotes included. What is not UTF-8 becomes U+FFFD, and '<' is written as an
 * escape, so that the string may stand inside a page's script. */
void quote_json(Text *out, Span text);

/* As text or the value of an attribute in HTML. */
void quote_html(Text *out, Span text);

#endif
