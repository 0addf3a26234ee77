/* The resign and draw policy of Castellan itself in one game. Opponents have their own. */
#ifndef ENGINE_POLICY_H
#define ENGINE_POLICY_H

#include "engine/engine.h"

#include <stdatomic.h>

/* All zero before the first move. */
typedef struct Policy {
    atomic_bool not_better; /* its last score */
    atomic_int lost_moves;  /* in a row */
} Policy;

void policy_note_score(Policy *p, const EngineScore *s); /* of a move that is played */
void policy_forget(Policy *p);                           /* earlier scores no longer count */
bool policy_resigns(const Policy *p);
bool policy_accepts_draw(const Policy *p);

#endif
