/* What the laboratory's search remembers: positions in a table, good quiet moves by ply and by
 * squares. */
#include "lab/lab_int.h"

static LabEntry *slot(const Lab *l)
{
    return &l->table[l->position.st.key >> (64 - LAB_TABLE_BITS)];
}

const LabEntry *lab_find(const Lab *l)
{
    const LabEntry *e = slot(l);
    return e->bound != LAB_NO_BOUND && e->key == l->position.st.key ? e : NULL;
}

Score lab_entry_value(const LabEntry *e, int ply)
{
    if (!score_is_mate(e->value))
        return e->value;
    return e->value > 0 ? e->value - ply : e->value + ply;
}

void lab_keep(Lab *l, int depth, int ply, Score value, Move move, LabBound bound)
{
    if (score_is_mate(value))
        value += value > 0 ? ply : -ply;
    *slot(l) = (LabEntry){l->position.st.key, value, move, (uint8_t)depth, (uint8_t)bound};
}

void lab_reward(Lab *l, Move m, int depth, int ply)
{
    if (l->killers[ply][0] != m) {
        l->killers[ply][1] = l->killers[ply][0];
        l->killers[ply][0] = m;
    }
    int *history = &l->history[l->position.side][move_from(m)][move_to(m)];
    if (*history < LAB_MOST_HISTORY)
        *history += depth * depth;
}
