/* Castellan itself, by its facade: whatever a GUI can set is an option here too. */
#include "match/player_int.h"

#include "base/clock.h"
#include "base/thread.h"
#include "engine/about.h"
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct OwnPlayer {
    Player base;
    Engine *engine;
    Mutex lock;
    Condition changed;
    bool done;
    EngineResult result;
} OwnPlayer;

static void on_done(void *user, const EngineResult *result)
{
    OwnPlayer *own = user;
    mutex_lock(&own->lock);
    own->result = *result;
    own->done = true;
    condition_signal_all(&own->changed);
    mutex_unlock(&own->lock);
}

static void own_close(Player *p)
{
    OwnPlayer *own = (OwnPlayer *)p;
    engine_destroy(own->engine);
    condition_free(&own->changed);
    mutex_free(&own->lock);
    free(own);
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
    mutex_lock(&own->lock);
    while (!own->done && !atomic_load(own->base.stop))
        condition_wait_ms(&own->changed, &own->lock, PLAYER_POLL_MS);
    bool done = own->done;
    mutex_unlock(&own->lock);
    return done;
}

static PlayerEnd own_move(Player *p, const Play *game, const PlayerTurn *turn, PlayerMove *out)
{
    OwnPlayer *own = (OwnPlayer *)p;
    own->done = false;
    int64_t began = clock_now_ns();
    engine_go(own->engine, &game->now, &turn->search);
    bool done = wait_for_done(own);
    out->time_ns = clock_now_ns() - began;
    engine_end(own->engine); /* `done` has returned before anything else is asked */
    if (!done)
        return PLAYER_ABORTED;
    const EngineResult *r = &own->result;
    out->move = r->best;
    out->has_score = true;
    out->is_mate = r->score.is_mate;
    out->score = r->score.value;
    out->depth = r->depth;
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

static const PlayerMethods methods = {.close = own_close,
                                      .set_option = own_set_option,
                                      .new_game = own_new_game,
                                      .move = own_move,
                                      .accepts_draw = own_accepts_draw};

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

Status player_own_open(Player **p, const PlayerSpec *spec, int hash_mb, const atomic_bool *stop,
                       Message *why)
{
    OwnPlayer *own = calloc(1, sizeof *own);
    if (!own)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a player");
    own->base = (Player){.methods = &methods, .stop = stop};
    snprintf(own->base.title, sizeof own->base.title, "%s %s", ABOUT_NAME, ABOUT_VERSION);
    mutex_init(&own->lock);
    condition_init(&own->changed);
    const EngineEvents events = {.user = own, .done = on_done};
    Status s = engine_create(&own->engine, &events, why);
    if (s == STATUS_OK)
        s = set_options(&own->base, spec, hash_mb, why);
    if (s != STATUS_OK) {
        own_close(&own->base);
        return s;
    }
    *p = &own->base;
    return STATUS_OK;
}
