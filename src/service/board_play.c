#include "service/board_int.h"

#include "base/clock.h"
#include "chess/draw.h"
#include "service/player_rating_int.h"
#include "service/position_json_int.h"
#include "service/turn_int.h"

#include <stdlib.h>
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

/* Sets the result and, in the same transaction, what it means for the player. */
static Status end_game(Service *service, StoreGame *g, Result result, const char *reason,
                       Message *why)
{
    g->over = true;
    g->result = result;
    snprintf(g->reason, sizeof g->reason, "%s", reason);
    g->offer = -1;
    g->turn_at = 0;
    return rating_update(service, g, why);
}

/* The clock after the move about to be made; false when there was not enough time for it. */
static bool stop_clock(const Board *b, StoreGame *g, int64_t now)
{
    Color us = b->now.side;
    if (!board_clock_runs(b))
        return true;
    int64_t left = board_clock_ms(b, us, now);
    if (left <= 0)
        return false;
    g->clock_ms[us] = left + g->increment_ms;
    return true;
}

static Status store_played(Service *service, const Board *b, StoreGame *g, Message *why)
{
    const BoardMove *last = &b->moves[b->count - 1];
    StoreMove m = {.clock_ms = last->clock_ms, .spent_ms = last->spent_ms};
    memcpy(m.uci, last->uci, sizeof m.uci);
    Result result;
    const char *reason;
    Status s = store_begin(service->store, why);
    if (s != STATUS_OK)
        return s;
    if (rules_end(&b->now, &result, &reason))
        s = end_game(service, g, result, reason, why);
    if (s == STATUS_OK)
        s = store_move_put(service->store, g->id, b->count - 1, &m, g, why);
    if (s == STATUS_OK)
        return store_commit(service->store, why);
    store_rollback(service->store);
    return s;
}

Status board_play(Service *service, Board *b, Move m, Message *why)
{
    int64_t now = clock_now_ms();
    StoreGame g = b->g;
    Color us = b->now.side;
    if (!stop_clock(b, &g, now))
        return status_fail(why, STATUS_REFUSED, "the time is up");
    if (b->count >= SERVICE_MAX_PLIES ||
        !board_push(b, m, g.has_clock ? g.clock_ms[us] : -1, now - b->turn_since))
        return status_fail(why, STATUS_MEMORY, "no room for another move");
    board_describe(service, b, &g);
    g.version++;
    g.updated = clock_wall_ms();
    if (g.offer != (int)us)
        g.offer = -1; /* who moves instead of answering has declined */
    g.turn_at = g.has_clock && b->count >= 2 ? g.updated : 0;
    Status s = store_played(service, b, &g, why);
    if (s != STATUS_OK) {
        board_cut(b, b->count - 1);
        return s;
    }
    b->g = g;
    b->turn_since = now;
    b->hint_ply = -1;
    return STATUS_OK;
}

Status board_finish(Service *service, Board *b, Result result, const char *reason, Message *why)
{
    StoreGame g = b->g;
    Color us = b->now.side;
    int64_t left = board_clock_ms(b, us, clock_now_ms());
    Status s = store_begin(service->store, why);
    if (s != STATUS_OK)
        return s;
    g.clock_ms[us] = left;
    g.version++;
    g.updated = clock_wall_ms();
    s = end_game(service, &g, result, reason, why);
    if (s == STATUS_OK)
        s = store_game_save(service->store, &g, why);
    if (s == STATUS_OK)
        s = store_commit(service->store, why);
    else
        store_rollback(service->store);
    if (s != STATUS_OK)
        return s;
    b->g = g;
    turn_cancel(service, b);
    return STATUS_OK;
}

bool board_flag(Service *service, Board *b)
{
    Message why;
    Color us = b->now.side;
    if (!board_clock_runs(b) || board_clock_ms(b, us, clock_now_ms()) > 0)
        return false;
    bool drawn = draw_side_cannot_mate(&b->now, color_other(us));
    Result r = drawn ? RESULT_DRAW : result_win(color_other(us));
    return board_finish(service, b, r, drawn ? "time-material" : "time", &why) == STATUS_OK;
}

/* -- Takeback -- */

/* After a takeback the name is that of the last named position before. */
static void rename_opening(Service *service, const Board *b, StoreGame *g)
{
    Position p = b->start;
    Undo undo;
    OpeningName name;
    g->eco[0] = g->opening[0] = '\0';
    for (int i = 0; i < b->count; i++) {
        pos_make(&p, b->moves[i].move, &undo);
        if (openings_find(service->openings, &p, &name)) {
            snprintf(g->eco, sizeof g->eco, "%s", name.eco);
            snprintf(g->opening, sizeof g->opening, "%s", name.name);
        }
    }
}

/* The clocks as they stood when that many moves were made. */
static void restore_clocks(const Board *b, StoreGame *g, int plies)
{
    g->clock_ms[WHITE] = g->clock_ms[BLACK] = g->initial_ms;
    for (int i = 0; i < plies; i++) {
        Color mover = (Color)(b->start.side ^ (i & 1));
        g->clock_ms[mover] = b->moves[i].clock_ms;
    }
}

static void forget_talk(Board *b, int plies)
{
    for (BoardTalk **at = &b->talk; *at;) {
        BoardTalk *t = *at;
        if (t->ply > plies) {
            *at = t->next;
            free(t);
        } else {
            at = &t->next;
        }
    }
}

Status board_take_back(Service *service, Board *b, Message *why)
{
    int plies = b->count - ((int)b->now.side == b->g.you ? 2 : 1);
    if (plies < 0 || (int)(b->start.side ^ (plies & 1)) != b->g.you)
        return status_fail(why, STATUS_REFUSED, "there is no move of yours to take back");
    if (board_over(b) && b->g.rated)
        return status_fail(why, STATUS_REFUSED, "a rated game is over when it is over");
    StoreGame g = b->g;
    restore_clocks(b, &g, plies);
    board_cut(b, plies);
    board_describe(service, b, &g);
    rename_opening(service, b, &g);
    g.version++;
    g.updated = clock_wall_ms();
    g.over = false;
    g.result = RESULT_NONE;
    g.reason[0] = '\0';
    g.rated = false;
    g.takebacks++;
    g.offer = -1;
    g.turn_at = g.has_clock && plies >= 2 ? g.updated : 0;
    Status s = store_moves_cut(service->store, &g, plies, why);
    if (s != STATUS_OK) {
        board_cut(b, (int)b->g.plies);
        return s;
    }
    b->g = g;
    b->turn_since = clock_now_ms();
    b->hint_ply = -1;
    forget_talk(b, plies);
    turn_cancel(service, b);
    return STATUS_OK;
}
