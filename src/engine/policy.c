#include "engine/policy.h"

#include "engine/engine_int.h"

/* It resigns after so many of its moves in a row with such a score. */
enum { LOST_CP = -1000, LOST_MOVES = 4 };

void policy_note_score(Policy *p, const EngineScore *s)
{
    bool lost = s->is_mate ? s->value < 0 : s->value <= LOST_CP;
    atomic_store(&p->not_better, s->value <= 0);
    if (lost)
        atomic_fetch_add(&p->lost_moves, 1);
    else
        atomic_store(&p->lost_moves, 0);
}

void policy_forget(Policy *p)
{
    atomic_store(&p->not_better, false);
    atomic_store(&p->lost_moves, 0);
}

bool policy_resigns(const Policy *p)
{
    return atomic_load(&p->lost_moves) >= LOST_MOVES;
}

bool policy_accepts_draw(const Policy *p)
{
    return atomic_load(&p->not_better);
}

/* -- Of a session -- */

void engine_forget_scores(Engine *e)
{
    policy_forget(&e->policy);
}

bool engine_resigns(Engine *e, const EngineResult *r)
{
    return e->opponent ? r->resigns : policy_resigns(&e->policy);
}

bool engine_accepts_draw(Engine *e, const Position *p)
{
    return e->opponent ? opponent_thread_accepts_draw(e->opponent, p ? p : &e->now)
                       : policy_accepts_draw(&e->policy);
}
