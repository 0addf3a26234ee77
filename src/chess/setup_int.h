/* The checks of pos_set, for readers of this folder that name the field themselves. */
#ifndef CHESS_SETUP_INT_H
#define CHESS_SETUP_INT_H

#include "chess/setup.h"

/* The fields, in the order of FEN. */
typedef enum SetupField {
    SETUP_PLACEMENT,
    SETUP_SIDE,
    SETUP_CASTLING,
    SETUP_EN_PASSANT,
    SETUP_HALFMOVES,
    SETUP_FULLMOVE,
    SETUP_FIELD_COUNT
} SetupField;

/* "piece placement", "en passant" ... */
const char *setup_field_name(SetupField field);

/* All checks of pos_set. On failure *field is the wrong field, and the message gives the reason
 * without naming it. */
Status setup_check(const Setup *s, SetupField *field, Message *why);

/* True when a right is impossible in standard chess. */
bool setup_needs_chess960(const Setup *s);

#endif
