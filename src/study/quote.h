/* Text of others inside a page. */
#ifndef STUDY_QUOTE_H
#define STUDY_QUOTE_H

#include "base/text.h"

/* As text or the value of an attribute in HTML. */
void quote_html(Text *out, Span text);

#endif
