/* The checks behind pos_set, for the readers of this folder that want to name the field at fault in
 * words of their own. */
#ifndef CHESS_SETUP_INT_H
#define CHESS_SETUP_INT_H

#include "chess/setup.h"

/* The parts of a description, in the order in which FEN writes them. */
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

/* Everything pos_set checks. On failure *field tells which part is wrong, and the message says why
 * without naming it. */
Status setup_check(const Setup *s, SetupField *field, Message *why);

/* True when a right belongs to a king or rook that ordinary chess starts elsewhere. */
bool setup_needs_chess960(const Setup *s);

#endif
