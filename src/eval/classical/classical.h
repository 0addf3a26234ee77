/* The classical evaluation: material, piece-square tables, pawn structure, mobility, king safety,
 * threats, passed pawns and space, tapered between middlegame and endgame. Every term is computed
 * for both sides from the position alone, so that a mirrored position has the negated score. */
#ifndef EVAL_CLASSICAL_CLASSICAL_H
#define EVAL_CLASSICAL_CLASSICAL_H

#include "chess/position.h"
#include "eval/classical/classical_weights.h"
#include "eval/eval.h"

/* An entry of the pawn hash table: everything that depends on the pawns only. */
typedef struct PawnEntry {
    Key key;                      /* Position.st.pawn_key, compared in full */
    Packed score[COLOR_COUNT];    /* pawn structure terms */
    Bitboard passed[COLOR_COUNT]; /* passed pawns */
    Bitboard reach[COLOR_COUNT];  /* squares the pawns attack now or after advancing */
    uint8_t files[COLOR_COUNT];   /* bit set of the files with a pawn */
} PawnEntry;

/* The pawn hash table of one thread. All zero is valid: a zero entry is correct for no pawns. */
enum { PAWN_TABLE_ENTRIES = 8192 };
typedef struct PawnTable {
    PawnEntry entries[PAWN_TABLE_ENTRIES];
} PawnTable;

/* The value from the view of the side to move. `table` may be NULL. */
Score classical_score(PawnTable *table, const Position *p);

/* The same, with its terms. */
void classical_trace(const Position *p, EvalTrace *out);

#endif
