#include "gallery/opponent.h"

#include <assert.h>
#include <stdlib.h>

struct Opponent {
    const OpponentRow *row;
    void *mind;
};

Status opponent_open(Opponent **out, const OpponentRow *row, uint64_t seed, Message *why)
{
    if (!row->mind)
        return status_fail(why, STATUS_REFUSED, "%s has no mind apart from the engine's",
                           row->name);
    Opponent *o = calloc(1, sizeof *o);
    if (!o)
        return status_fail(why, STATUS_MEMORY, "no memory for %s", row->name);
    o->row = row;
    Status s = row->mind->open(&o->mind, row->setup, seed, why);
    if (s != STATUS_OK) {
        free(o);
        return s;
    }
    *out = o;
    return STATUS_OK;
}

void opponent_close(Opponent *o)
{
    if (!o)
        return;
    o->row->mind->close(o->mind);
    free(o);
}

void opponent_new_game(Opponent *o, uint64_t seed)
{
    o->row->mind->new_game(o->mind, seed);
}

void opponent_think(Opponent *o, const OpponentTask *task, OpponentAnswer *answer)
{
    *answer = (OpponentAnswer){.move = MOVE_NONE};
    o->row->mind->think(o->mind, task, answer);
    assert(pos_is_legal(task->position, answer->move));
}

bool opponent_accepts_draw(Opponent *o, const Position *p)
{
    return o->row->mind->accepts_draw && o->row->mind->accepts_draw(o->mind, p);
}
