/* Texts and tag values of a PGN file, decoded. */
#ifndef NOTATION_PGN_VALUE_INT_H
#define NOTATION_PGN_VALUE_INT_H

#include "base/status.h"
#include "base/text.h"

/* Replaces *s by its UTF-8 form in `buffer` when it is not UTF-8 already. */
Status pgn_text_decode(Text *buffer, Span *s, Message *why);

/* The same for a tag value, in which a backslash escapes a quote or a backslash. */
Status pgn_value_decode(Text *buffer, Span *s, Message *why);

typedef enum PgnVariant {
    PGN_VARIANT_STANDARD,
    PGN_VARIANT_CHESS960,
    PGN_VARIANT_UNKNOWN
} PgnVariant;

/* The tag Variant; both kinds have several names. */
PgnVariant pgn_variant(Span value);

#endif
