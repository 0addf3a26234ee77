#include "chess/random_opening.h"

#include "chess/fen.h"
#include "chess/movegen.h"

static bool make_once(const RandomOpeningRules *rules, Random *r, RandomOpening *out)
{
    if (!rules->start)
        pos_set_start(&out->start);
    else if (!rules->start(rules->user, r, &out->start))
        return false;
    out->end = out->start;
    int plies = rules->plies + (rules->vary_side ? (int)random_below(r, 2) : 0);
    for (out->count = 0; out->count < plies; out->count++) {
        Move moves[MAX_MOVES];
        Undo undo;
        int count = movegen(&out->end, GEN_ALL, moves);
        if (!count)
            return false;
        out->moves[out->count] = moves[random_below(r, (uint32_t)count)];
        pos_make(&out->end, out->moves[out->count], &undo);
    }
    return movegen_any(&out->end) && rules->accept(rules->user, &out->end);
}

bool random_opening_make(const RandomOpeningRules *rules, Random *r, RandomOpening *out)
{
    for (int i = 0; !rules->max_tries || i < rules->max_tries; i++)
        if (make_once(rules, r, out))
            return true;
    return false;
}
