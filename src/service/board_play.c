#include "service/board_int.h"

#include "base/clock.h"
#include "service/player_rating_int.h"

#include <string.h>

/* -- Changing -- */

Status board_save(Service *service, Board *b, const StoreGame *changed, Message *why)
{
    StoreGame g = *changed;
    g.version = b->g.version + 1;
    g.updated = clock_wall_ms();
    Status s = store_game_save(service->store, &g, why);
    if (s == STATUS_OK)
        b->g = g;
    return s;
}

static const char *reason_of(const PlayState *s)
{
    static const char *const ends[] = {[PLAY_AGREED] = "agreement",
                                       [PLAY_RESIGNED] = "resignation",
                                       [PLAY_TIME] = "time",
                                       [PLAY_STOPPED] = "stopped"};
    if (s->end == PLAY_BY_RULES)
        return draw_code(s->rule);
    return s->end == PLAY_TIME && s->result == RESULT_DRAW ? "time-material" : ends[s->end];
}

/* The row says what the play says. */
static void copy_state(const Board *b, StoreGame *g)
{
    const PlayState *s = &b->play.state;
    g->version++;
    g->updated = clock_wall_ms();
    memcpy(g->clock_ms, s->left_ms, sizeof g->clock_ms);
    g->turn_at = play_clock_runs(&b->play) ? g->updated : 0;
    g->over = play_is_over(&b->play);
    g->result = s->result;
    snprintf(g->reason, sizeof g->reason, "%s", g->over ? reason_of(s) : "");
    if (g->over)
        g->offer = -1;
}

static Status store_played(Service *service, const Board *b, StoreGame *g, Message *why)
{
    int last = b->play.count - 1;
    StoreMove m = {last, "", b->play.moves[last].clock_ms, b->moves[last].spent_ms};
    memcpy(m.uci, b->moves[last].uci, sizeof m.uci);
    store_begin(service->store);
    Status s = g->over ? rating_update(service, g, why) : STATUS_OK;
    if (s == STATUS_OK)
        s = store_move_put(service->store, g->id, &m, g, why);
    return store_end(service->store, s, why);
}

Status board_play(Service *service, Board *b, Move m, Message *why)
{
    int64_t now = clock_now_ms();
    StoreGame g = b->g;
    PlayState before = b->play.state;
    Position position = b->play.now;
    Color us = position.side;
    if (b->play.count >= SERVICE_MAX_PLIES)
        return status_fail(why, STATUS_MEMORY, "the game has reached its maximum length");
    if (play_clock_runs(&b->play) && play_clock_ms(&b->play, us, now) <= 0)
        return status_fail(why, STATUS_REFUSED, "the time is up");
    Status s = play_move(&b->play, m, now, why);
    if (s != STATUS_OK)
        return s;
    s = board_describe_move(b, &position, now - before.turn_ms)
            ? STATUS_OK
            : status_fail(why, STATUS_MEMORY, "not enough memory for another move");
    if (s == STATUS_OK) {
        board_describe(service, b, &g);
        if (g.offer != (int)us)
            g.offer = -1; /* a move declines the offer */
        copy_state(b, &g);
        s = store_played(service, b, &g, why);
    }
    if (s != STATUS_OK) {
        play_take_back(&b->play, 1, now);
        play_restore(&b->play, &before);
        return s;
    }
    b->g = g;
    b->hint_ply = b->takeback = -1;
    return STATUS_OK;
}

Status board_finish(Service *service, Board *b, const PlayState *before, Message *why)
{
    StoreGame g = b->g;
    copy_state(b, &g);
    store_begin(service->store);
    Status s = rating_update(service, &g, why);
    if (s == STATUS_OK)
        s = store_game_save(service->store, &g, why);
    s = store_end(service->store, s, why);
    if (s != STATUS_OK) {
        play_restore(&b->play, before);
        return s;
    }
    b->g = g;
    turn_cancel(b);
    return STATUS_OK;
}

bool board_flag(Service *service, Board *b)
{
    Message why;
    PlayState before = b->play.state;
    return play_check_flag(&b->play, clock_now_ms()) &&
           board_finish(service, b, &before, &why) == STATUS_OK;
}

/* -- Takeback -- */

/* After a takeback the name is that of the last named position before. */
static void rename_opening(Service *service, const Board *b, StoreGame *g)
{
    Position p = b->play.start;
    Undo undo;
    OpeningName name;
    g->eco[0] = g->opening[0] = '\0';
    for (int i = 0; i < b->play.count; i++) {
        pos_make(&p, b->play.moves[i].move, &undo);
        if (openings_find(service->openings, &p, &name)) {
            snprintf(g->eco, sizeof g->eco, "%s", name.eco);
            snprintf(g->opening, sizeof g->opening, "%s", name.name);
        }
    }
}

Status board_take_back(Service *service, Board *b, Color us, Message *why)
{
    int plies = b->play.count - (b->play.now.side == us ? 2 : 1);
    if (plies < 0 || (b->play.start.side ^ (plies & 1)) != us)
        return status_fail(why, STATUS_REFUSED, "you have no move to take back");
    if (b->g.over && b->g.rated)
        return status_fail(why, STATUS_REFUSED, "a finished rated game cannot be continued");
    StoreGame g = b->g;
    PlayState before = b->play.state;
    int played = b->play.count;
    play_take_back(&b->play, played - plies, clock_now_ms());
    board_describe(service, b, &g);
    rename_opening(service, b, &g);
    copy_state(b, &g);
    g.rated = false;
    g.takebacks++;
    g.offer = -1;
    Status s = store_moves_cut(service->store, &g, plies, why);
    if (s != STATUS_OK) {
        for (int i = plies; i < played; i++)
            play_replay(&b->play, b->play.moves[i].move, b->play.moves[i].clock_ms, NULL);
        play_restore(&b->play, &before);
        return s;
    }
    b->g = g;
    b->hint_ply = b->takeback = -1;
    policy_forget(&b->policy[WHITE]);
    policy_forget(&b->policy[BLACK]);
    turn_cancel(b);
    return STATUS_OK;
}
