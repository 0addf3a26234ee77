/* CECP, the game: whose turn it is, what the running search is for, how games end. Everything here
 * runs in the session's thread except cecp_done. */
#include "proto/cecp_int.h"

#include "base/clock.h"
#include "chess/draw.h"

enum { HINT_NODES = 100000, MOVES_LEFT = 30 };

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

/* What the GUI said of the clocks holds from now on. */
static void take_times(Cecp *c, Color us)
{
    for (int i = 0; i < 2; i++)
        if (c->has_time[i])
            play_set_clock(&c->play, i ? color_other(us) : us, c->time_ms[i], c->arrived_ms);
    c->has_time[0] = c->has_time[1] = false;
}

static void set_limits(Cecp *c, Color us, SearchLimits *out)
{
    take_times(c, us);
    out->depth = c->depth;
    if (!c->node_rate) {
        out->move_time_ms = c->move_time_ms;
        if (!c->move_time_ms)
            play_limits(&c->play, us, c->arrived_ms, out);
        return;
    }
    int moves = play_moves_to_go(&c->play, us);
    int64_t ms = c->move_time_ms;
    if (!ms)
        ms = c->play.state.left_ms[us] / (moves ? moves : MOVES_LEFT) +
             c->play.setup.control[us].increment_ms;
    out->nodes = ms > 0 ? (uint64_t)((double)ms / 1000 * (double)c->node_rate) : 0;
    out->nodes += out->nodes == 0;
}

void cecp_think(Cecp *c)
{
    SearchLimits limits = {.start_ms = c->arrived_ms};
    c->play.state.turn_ms = c->arrived_ms;
    set_limits(c, c->play.now.side, &limits);
    start_search(c, ACTIVITY_MOVING, &c->play.now, &limits);
}

/* Thinks on after the reply that the last search expected. */
void cecp_ponder(Cecp *c)
{
    Position p = c->play.now;
    if (!c->hard || c->hint == MOVE_NONE || !pos_is_legal(&p, c->hint))
        return;
    Undo undo;
    SearchLimits limits = {.ponder = true};
    c->guess = c->hint;
    pos_make(&p, c->guess, &undo);
    if (draw_game_end(&p) != GAME_GOES_ON)
        return;
    set_limits(c, p.side, &limits);
    start_search(c, ACTIVITY_PONDERING, &p, &limits);
}

static void analyse(Cecp *c)
{
    SearchLimits limits = {.infinite = true, .start_ms = c->arrived_ms};
    start_search(c, ACTIVITY_ANALYSING, &c->play.now, &limits);
}

/* -- Ends of games -- */

/* Announces the result when the game has one: mates and stalemates are, other draws are claimed. */
static bool announce_end(Cecp *c)
{
    const Position *p = &c->play.now;
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

/* A window for every word would be a nuisance: only the last ones get one. */
static void report_talk(Cecp *c, const EngineResult *r, bool last)
{
    if (r->talk[0])
        output_line(c->port.out, "%s %s", last ? "telluser" : "#", r->talk);
}

/* The offer that came while it thought ends with its move. */
static void answer_draw(Cecp *c)
{
    if (c->draw_asked && engine_accepts_draw(c->engine, &c->play.now))
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
    bool resigns = engine_resigns(c->engine, r);
    report_talk(c, r, resigns);
    if (resigns) {
        output_line(c->port.out, "resign");
        return;
    }
    answer_draw(c);
    cecp_write_move(&c->play.now, r->best, text);
    output_line(c->port.out, "move %s", text);
    if (r->offers_draw)
        output_line(c->port.out, "offer draw");
    play_move(&c->play, r->best, clock_now_ms(), NULL);
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
    take_times(c, c->play.now.side);
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
    play_move(&c->play, m, c->arrived_ms, NULL);
    if (c->analyse) {
        analyse(c);
    } else if (expected) {
        ponderhit(c);
    } else if (!c->force && !announce_end(c) && c->play.now.side == c->side) {
        cecp_think(c);
    }
}

void cecp_position_changed(Cecp *c)
{
    c->hint = MOVE_NONE;
    c->draw_asked = false;
    engine_forget_scores(c->engine);
    if (c->analyse)
        analyse(c);
}

bool cecp_hint(Cecp *c, char out[SAN_SIZE])
{
    const Position *p = &c->play.now;
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
