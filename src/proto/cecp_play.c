/* CECP, the game: whose turn it is, what the running search is for, how games end. Everything here
 * runs in the session's thread except cecp_done. */
#include "proto/cecp_int.h"

#include "base/clock.h"
#include "chess/draw.h"
#include "chess/movegen.h"

/* Resignation: no hope on so many own moves in a row. */
enum { HOPELESS_CP = -1000, HOPELESS_MOVES = 4, HINT_NODES = 100000 };

void cecp_done(void *user, const EngineResult *result)
{
    Cecp *c = user;
    mutex_lock(&c->box.lock);
    c->box.has_result = true;
    c->box.result = *result;
    mutex_unlock(&c->box.lock);
    if (c->port.in)
        input_wake(c->port.in);
}

static bool take_result(Cecp *c, EngineResult *out)
{
    mutex_lock(&c->box.lock);
    bool has = c->box.has_result;
    *out = c->box.result;
    c->box.has_result = false;
    mutex_unlock(&c->box.lock);
    return has;
}

static void send_pongs(Cecp *c)
{
    if (c->pongs.len)
        output_text(c->port.out, &c->pongs);
    text_clear(&c->pongs);
}

void cecp_abort(Cecp *c)
{
    EngineResult nothing;
    if (c->activity == ACTIVITY_IDLE)
        return;
    engine_end(c->engine);
    take_result(c, &nothing);
    c->activity = ACTIVITY_IDLE;
    send_pongs(c);
}

bool cecp_posts(const Cecp *c, CecpActivity activity)
{
    return activity == ACTIVITY_ANALYSING || (c->post && activity != ACTIVITY_PONDERING);
}

static void start_search(Cecp *c, CecpActivity activity, const Position *from,
                         const SearchLimits *limits)
{
    cecp_abort(c);
    mutex_lock(&c->box.lock);
    /* A ponder search is silent: clients would take its lines for the move just played. */
    c->box.show = cecp_posts(c, activity);
    text_clear(&c->box.line);
    c->box.depth = c->box.number = 0;
    c->box.nodes = 0;
    c->box.time_ms = 0;
    c->box.current[0] = '\0';
    mutex_unlock(&c->box.lock);
    c->activity = activity;
    engine_go(c->engine, from, limits);
}

void cecp_think(Cecp *c)
{
    SearchLimits limits = {.start_ms = c->arrived_ms};
    const Position *p = engine_position(c->engine);
    cecp_clock_limits(&c->clock, p->side, engine_move_count(c->engine), &limits);
    c->began_ms = c->arrived_ms;
    start_search(c, ACTIVITY_MOVING, p, &limits);
}

/* Thinks on after the reply that the last search expected. */
void cecp_ponder(Cecp *c)
{
    Position p = *engine_position(c->engine);
    if (!c->hard || c->hint == MOVE_NONE || !pos_is_legal(&p, c->hint))
        return;
    Undo undo;
    SearchLimits limits = {.ponder = true};
    c->guess = c->hint;
    pos_make(&p, c->guess, &undo);
    if (draw_game_end(&p) != GAME_GOES_ON)
        return;
    cecp_clock_limits(&c->clock, p.side, engine_move_count(c->engine) + 1, &limits);
    start_search(c, ACTIVITY_PONDERING, &p, &limits);
}

static void analyse(Cecp *c)
{
    SearchLimits limits = {.infinite = true, .start_ms = c->arrived_ms};
    start_search(c, ACTIVITY_ANALYSING, engine_position(c->engine), &limits);
}

/* -- Ends of games -- */

/* Tells the result when the game has one: mates and stalemates are, other draws are claimed. */
static bool announce_end(Cecp *c)
{
    const Position *p = engine_position(c->engine);
    GameEnd end = draw_game_end(p);
    if (end == GAME_GOES_ON)
        return false;
    if (end == GAME_CHECKMATE)
        output_line(c->port.out, "%s",
                    p->side == BLACK ? "1-0 {White mates}" : "0-1 {Black mates}");
    else
        output_line(c->port.out, "1/2-1/2 {Draw by %s}", draw_reason(end));
    return true;
}

/* Opponents know themselves when to give up; Castellan is patient. */
static bool should_resign(Cecp *c, const EngineResult *r)
{
    const EngineScore *s = &r->score;
    if (engine_opponent(c->engine)->ops)
        return r->resigns;
    bool hopeless = s->is_mate ? s->value < 0 : s->value <= HOPELESS_CP;
    c->hopeless = hopeless ? c->hopeless + 1 : 0;
    return c->hopeless >= HOPELESS_MOVES;
}

/* A window for every word would be a nuisance: only the last ones get one. */
static void tell_talk(Cecp *c, const EngineResult *r, bool last)
{
    if (r->talk[0])
        output_line(c->port.out, "%s %s", last ? "telluser" : "#", r->talk);
}

/* The offer that came while it thought ends with its move. */
static void answer_draw(Cecp *c)
{
    if (c->draw_asked && engine_accepts_draw(c->engine, NULL))
        output_line(c->port.out, "offer draw");
    c->draw_asked = false;
}

/* -- Moves -- */

static void make_own_move(Cecp *c, const EngineResult *r)
{
    char text[SAN_SIZE];
    if (r->best == MOVE_NONE) {
        announce_end(c);
        return;
    }
    bool resigns = should_resign(c, r);
    tell_talk(c, r, resigns);
    if (resigns) {
        output_line(c->port.out, "resign");
        return;
    }
    answer_draw(c);
    cecp_write_move(engine_position(c->engine), r->best, text);
    output_line(c->port.out, "move %s", text);
    if (r->offers_draw)
        output_line(c->port.out, "offer draw");
    engine_play(c->engine, r->best, NULL);
    cecp_clock_spend(&c->clock, clock_now_ms() - c->began_ms, engine_move_count(c->engine));
    c->hint = r->ponder;
    if (!announce_end(c))
        cecp_ponder(c);
}

void cecp_wake(void *session)
{
    Cecp *c = session;
    EngineResult result;
    if (!take_result(c, &result))
        return;
    CecpActivity was = c->activity;
    engine_wait(c->engine);
    c->activity = ACTIVITY_IDLE;
    if (was == ACTIVITY_MOVING)
        make_own_move(c, &result);
    send_pongs(c);
}

/* The ponder search becomes a real one: what it found so far is posted now. */
static void ponderhit(Cecp *c)
{
    c->activity = ACTIVITY_MOVING;
    c->began_ms = c->arrived_ms;
    mutex_lock(&c->box.lock);
    c->box.show = c->post;
    if (c->post && c->box.line.len)
        output_text(c->port.out, &c->box.line);
    mutex_unlock(&c->box.lock);
    engine_ponderhit(c->engine);
}

void cecp_take_move(Cecp *c, Move m)
{
    bool expected = c->activity == ACTIVITY_PONDERING && m == c->guess;
    if (!expected)
        cecp_abort(c);
    engine_play(c->engine, m, NULL);
    if (c->analyse) {
        analyse(c);
    } else if (expected) {
        ponderhit(c);
    } else if (!c->force && !announce_end(c) && engine_position(c->engine)->side == c->side) {
        cecp_think(c);
    }
}

void cecp_position_changed(Cecp *c)
{
    c->hint = MOVE_NONE;
    c->draw_asked = false;
    c->hopeless = 0;
    if (c->analyse)
        analyse(c);
}

void cecp_begin_game(Cecp *c)
{
    cecp_clock_reset(&c->clock);
    engine_new_game(c->engine);
    cecp_position_changed(c);
}

bool cecp_hint(Cecp *c, char out[SAN_SIZE])
{
    const Position *p = engine_position(c->engine);
    Move m = c->activity == ACTIVITY_PONDERING ? c->guess : c->hint;
    if (c->activity == ACTIVITY_IDLE && (m == MOVE_NONE || !pos_is_legal(p, m))) {
        /* This search has no events, so nothing lands in the mailbox. */
        SearchLimits limits = {.nodes = HINT_NODES};
        m = engine_think_quietly(c->engine, p, &limits).best;
    }
    if (m == MOVE_NONE || !pos_is_legal(p, m))
        return false;
    cecp_write_move(p, m, out);
    return true;
}
