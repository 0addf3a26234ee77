/* Which move first: a weight for each, from what is switched on. Moves of the same weight stay in
 * the order in which they were generated. */
#include "lab/lab_int.h"

#include "chess/movegen.h"

enum {
    TABLE_MOVE = 1 << 30,
    KNOWN = 1 << 29, /* the table has the position behind the move: by its value */
    CAPTURE = 1 << 28,
    KILLER = LAB_MOST_HISTORY << 1
};

/* The table's value of the position a move leads to, seen from the side that makes it. */
static bool known_value(Lab *l, Move m, Score *value)
{
    Undo undo;
    pos_make(&l->position, m, &undo);
    const LabEntry *e = lab_find(l);
    if (e)
        *value = -e->value;
    pos_unmake(&l->position, m, &undo);
    return e != NULL;
}

static int capture_weight(const Position *p, Move m)
{
    PieceType victim = pos_captured_type(p, m);
    int gain = victim == NO_PIECE_TYPE ? 0 : 8 * (victim + 1);
    if (move_is_promotion(m))
        gain += 8 * move_promotion(m);
    return gain ? CAPTURE + gain - (int)piece_type(pos_piece_on(p, move_from(m))) : 0;
}

static int quiet_weight(const Lab *l, Move m, int ply)
{
    if (lab_uses(l, LAB_KILLERS) && (m == l->killers[ply][0] || m == l->killers[ply][1]))
        return KILLER - (m == l->killers[ply][1]);
    if (!lab_uses(l, LAB_HISTORY))
        return 0;
    return l->history[l->position.side][move_from(m)][move_to(m)];
}

static int weight_of(Lab *l, Move m, int ply, Move tt_move)
{
    Score value;
    if (m == tt_move)
        return TABLE_MOVE;
    if (lab_uses(l, LAB_ORDER) && known_value(l, m, &value))
        return KNOWN + value;
    int weight = lab_uses(l, LAB_CAPTURES) ? capture_weight(&l->position, m) : 0;
    return weight ? weight : quiet_weight(l, m, ply);
}

/* Leaves those that the setup wants at the root; returns how many. */
static int keep_wanted(const LabSetup *s, Move *moves, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < s->only_count; k++)
            if (s->only[k] == moves[i]) {
                moves[kept++] = moves[i];
                break;
            }
    return kept;
}

int lab_moves(Lab *l, int ply, Move *out)
{
    int weights[MAX_MOVES], count = movegen(&l->position, GEN_ALL, out);
    if (ply == 0 && l->setup.only_count)
        count = keep_wanted(&l->setup, out, count);
    if (!(l->setup.switches & (LAB_ORDER | LAB_CAPTURES | LAB_KILLERS | LAB_HISTORY)))
        return count;
    const LabEntry *e = lab_uses(l, LAB_ORDER) ? lab_find(l) : NULL;
    Move tt_move = e ? e->move : MOVE_NONE;
    for (int i = 0; i < count; i++)
        weights[i] = weight_of(l, out[i], ply, tt_move);
    movegen_sort(out, weights, count);
    return count;
}

int lab_captures(Lab *l, Move *out)
{
    int weights[MAX_MOVES], count = movegen(&l->position, GEN_NOISY, out);
    for (int i = 0; i < count; i++)
        weights[i] = capture_weight(&l->position, out[i]);
    movegen_sort(out, weights, count);
    return count;
}

int lab_only_captures(const Lab *l, Move *out)
{
    int count = movegen(&l->position, GEN_NOISY, out), kept = 0;
    for (int i = 0; i < count; i++)
        if (pos_is_capture(&l->position, out[i]))
            out[kept++] = out[i];
    return kept;
}
