#include "service/player_rating_int.h"

#include "base/clock.h"
#include "levels/rating/adapt.h"

#include <math.h>

static Glicko strength_of(const StorePlayer *p)
{
    return (Glicko){p->rating, p->deviation, p->volatility};
}

static void set_strength(StorePlayer *p, Glicko g)
{
    p->rating = g.rating;
    p->deviation = g.deviation;
    p->volatility = g.volatility;
}

StorePlayer rating_new_player(Span name, int64_t now)
{
    StorePlayer p = {.created = now, .seen = now};
    set_strength(&p, glicko_start(ADAPT_FIRST_ELO));
    snprintf(p.name, sizeof p.name, "%.*s", (int)name.len, name.at);
    return p;
}

int64_t rating_adaptive_elo(const StorePlayer *p)
{
    return adapt_level(strength_of(p), 0);
}

/* The quality of the moves is not known yet: that is the review's work, which may come later or
 * never. */
Status rating_update(Service *service, StoreGame *g, Message *why)
{
    StorePlayer p;
    if (!g->rated || g->kind != STORE_PLAY || g->you < 0 || g->result == RESULT_NONE)
        return STATUS_OK;
    Status s = store_player_load(service->store, g->player, &p, why);
    if (s != STATUS_OK)
        return s;
    g->rating_before = llround(p.rating);
    Glicko strength = strength_of(&p);
    adapt_result(&strength, (int)g->side[!g->you].rating,
                 result_half_points(g->result, (Color)g->you) / 2.0);
    set_strength(&p, strength);
    g->rating_after = llround(p.rating);
    s = store_player_save(service->store, &p, why);
    if (s != STATUS_OK)
        return s;
    StoreRating point = {clock_wall_ms(), g->id, p.rating, p.deviation};
    return store_rating_add(service->store, p.id, &point, why);
}
