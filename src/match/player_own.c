/* Castellan itself, by its facade: whatever a GUI can set is an option here too. */
#include "match/player_int.h"

#include "base/clock.h"
#include "base/thread.h"
#include "engine/engine.h"

#include <stdio.h>

typedef struct OwnPlayer {
    Player base;
    Engine *engine;
    Latch done;
    EngineResult result; /* once it is done */
} OwnPlayer;

static void on_done(void *user, const EngineResult *result)
{
    OwnPlayer *own = user;
    own->result = *result;
    latch_open(&own->done);
}

static void own_close(Player *p)
{
    OwnPlayer *own = (OwnPlayer *)p;
    engine_destroy(own->engine);
    latch_free(&own->done);
}

static Status own_set_option(Player *p, Span name, Span value, Message *why)
{
    Message said;
    Status s = engine_set_option(((OwnPlayer *)p)->engine, name, value, &said);
    if (s != STATUS_OK && why)
        *why = said;
    return s;
}

static Status own_new_game(Player *p, const Position *start, const PlayerLimits *limits,
                           Message *why)
{
    (void)start, (void)limits, (void)why;
    engine_new_game(((OwnPlayer *)p)->engine);
    return STATUS_OK;
}

/* Waits for the answer; false when *stop came first. */
static bool wait_for_done(OwnPlayer *own)
{
    while (!latch_wait(&own->done, PLAYER_POLL_MS))
        if (atomic_load(own->base.stop))
            return false;
    return true;
}

static PlayerEnd own_move(Player *p, const Play *game, const PlayerTurn *turn, PlayerMove *out)
{
    OwnPlayer *own = (OwnPlayer *)p;
    latch_close(&own->done);
    int64_t began = clock_now_ns();
    engine_go(own->engine, &game->now, &turn->search);
    bool done = wait_for_done(own);
    out->time_ns = clock_now_ns() - began;
    engine_end(own->engine); /* `done` has returned before anything else is asked */
    if (!done)
        return PLAYER_ABORTED;
    const EngineResult *r = &own->result;
    out->move = r->best;
    out->score = (PlayerScore){true, r->score.is_mate, r->score.value, r->depth};
    out->offers_draw = r->offers_draw;
    /* Without a clock the deadline is for programs that may never answer; we always do. */
    bool timed = turn->limits->base_ms || turn->limits->move_time_ms;
    if (timed && out->time_ns > turn->deadline_ns)
        return PLAYER_LATE;
    return r->resigns ? PLAYER_RESIGNED : PLAYER_MOVED;
}

static bool own_accepts_draw(Player *p, const Play *game)
{
    return engine_accepts_draw(((OwnPlayer *)p)->engine, &game->now);
}

static Status set_options(Player *p, const PlayerSpec *spec, int hash_mb, Message *why)
{
    char hash[16];
    snprintf(hash, sizeof hash, "%d", hash_mb);
    Status s = hash_mb ? own_set_option(p, span_of("Hash"), span_of(hash), why) : STATUS_OK;
    if (s == STATUS_OK) /* nobody watches */
        s = own_set_option(p, span_of("Think Time"), span_of("false"), why);
    for (int i = 0; i < spec->option_count && s == STATUS_OK; i++)
        s = own_set_option(p, span_of(spec->options[i].name), span_of(spec->options[i].value), why);
    return s;
}

static Status own_open(Player *p, const PlayerSpec *spec, int hash_mb, Message *why)
{
    OwnPlayer *own = (OwnPlayer *)p;
    latch_init(&own->done);
    const EngineEvents events = {.user = own, .done = on_done};
    Status s = engine_create(&own->engine, &events, why);
    return s == STATUS_OK ? set_options(p, spec, hash_mb, why) : s;
}

const PlayerMethods player_own = {.size = sizeof(OwnPlayer),
                                  .open = own_open,
                                  .close = own_close,
                                  .set_option = own_set_option,
                                  .new_game = own_new_game,
                                  .move = own_move,
                                  .accepts_draw = own_accepts_draw};
