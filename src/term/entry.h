/* Moves as people type them: SAN, coordinates, and JavaChess's pairs of square numbers (a8 = 0 ...
 * h1 = 63, "52 36" is e2-e4). A pawn that reaches the end without saying what it becomes is a
 * question. */
#ifndef TERM_ENTRY_H
#define TERM_ENTRY_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

typedef enum EntryKind {
    ENTRY_MOVE,      /* *move is it */
    ENTRY_PROMOTION, /* *move promotes to a queen: ask, then entry_promotion */
    ENTRY_NOTHING    /* no legal move, and why */
} EntryKind;

EntryKind entry_read(const Position *p, Span text, Move *move, Message *why);

/* The legal move between two squares; castling by the king's goal or its rook. */
EntryKind entry_between(const Position *p, Square from, Square to, Move *move);

/* The same move with what the answer says: "q", "rook", "N"; MOVE_NONE when it says nothing like
 * that. */
Move entry_promotion(Move queen, Span answer);

#endif
