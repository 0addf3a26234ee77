#include "opponent/opponent.h"

#include <assert.h>
#include <stdlib.h>

struct Opponent {
    const OpponentRow *row;
    void *self;
};

Status opponent_open(Opponent **out, const OpponentRow *row, uint64_t seed, Message *why)
{
    if (!row->ops)
        return status_fail(why, STATUS_REFUSED, "%s has no mind apart from the engine's",
                           row->name);
    Opponent *o = calloc(1, sizeof *o);
    if (!o)
        return status_fail(why, STATUS_MEMORY, "no memory for %s", row->name);
    o->row = row;
    Status s = row->ops->open(&o->self, row->setup, seed, why);
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
    o->row->ops->close(o->self);
    free(o);
}

void opponent_new_game(Opponent *o, uint64_t seed)
{
    o->row->ops->new_game(o->self, seed);
}

void opponent_think(Opponent *o, const OpponentTask *task, OpponentAnswer *answer)
{
    *answer = (OpponentAnswer){.move = MOVE_NONE};
    o->row->ops->think(o->self, task, answer);
    assert(pos_is_legal(task->position, answer->move));
}

bool opponent_accepts_draw(Opponent *o, const Position *p)
{
    return o->row->ops->accepts_draw && o->row->ops->accepts_draw(o->self, p);
}
