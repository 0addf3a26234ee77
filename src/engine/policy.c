/* The resign and draw policy: when Castellan gives up and when it agrees to a draw. Opponents have
 * their own. */
#include "engine/engine_int.h"

/* It resigns after so many of its moves in a row with such a score. */
enum { LOST_CP = -1000, LOST_MOVES = 4 };

void policy_note_score(Engine *e, const EngineScore *s)
{
    bool lost = s->is_mate ? s->value < 0 : s->value <= LOST_CP;
    atomic_store(&e->not_better, s->value <= 0);
    if (lost)
        atomic_fetch_add(&e->lost_moves, 1);
    else
        atomic_store(&e->lost_moves, 0);
}

void engine_forget_scores(Engine *e)
{
    atomic_store(&e->not_better, false);
    atomic_store(&e->lost_moves, 0);
}

bool engine_resigns(Engine *e, const EngineResult *r)
{
    return e->opponent ? r->resigns : atomic_load(&e->lost_moves) >= LOST_MOVES;
}

bool engine_accepts_draw(Engine *e, const Position *p)
{
    return e->opponent ? opponent_session_accepts_draw(e->opponent, p ? p : &e->now)
                       : atomic_load(&e->not_better);
}
