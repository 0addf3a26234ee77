#include "play/play.h"

#include "base/memory.h"
#include "chess/fen.h"

#include <stdio.h>
#include <stdlib.h>

static void changed(const Play *p)
{
    if (p->setup.changed)
        p->setup.changed(p->setup.user, p);
}

/* -- Looking -- */

void play_position(const Play *p, int ply, Position *out)
{
    Undo undo;
    *out = p->start;
    for (int i = 0; i < ply; i++)
        pos_make(out, p->moves[i].move, &undo);
}

bool play_is_over(const Play *p)
{
    return p->state.end != PLAY_GOES_ON;
}

bool play_has_clock(const Play *p, Color c)
{
    return p->setup.control[c].base_ms > 0;
}

bool play_clock_runs(const Play *p)
{
    return !play_is_over(p) && play_has_clock(p, p->now.side) &&
           p->count - p->opening >= p->setup.free_plies;
}

/* Below zero once the time is over. */
static int64_t exact_clock_ms(const Play *p, Color c, int64_t now_ms)
{
    int64_t left = p->state.left_ms[c];
    return c == p->now.side && play_clock_runs(p) ? left - (now_ms - p->state.turn_ms) : left;
}

int64_t play_clock_ms(const Play *p, Color c, int64_t now_ms)
{
    int64_t left = exact_clock_ms(p, c, now_ms);
    return left > 0 ? left : 0;
}

/* Moves that this side has made since the opening. */
static int moves_of(const Play *p, Color c)
{
    int plies = p->count - p->opening;
    return (plies + (c != p->now.side)) / 2;
}

int play_moves_to_go(const Play *p, Color c)
{
    int moves = p->setup.control[c].moves;
    return moves ? moves - moves_of(p, c) % moves : 0;
}

void play_limits(const Play *p, Color us, int64_t now_ms, SearchLimits *out)
{
    if (!play_has_clock(p, us))
        return;
    for (Color c = WHITE; c <= BLACK; c++) {
        Color shown = play_has_clock(p, c) ? c : us;
        out->has_clock[c] = true;
        out->clock_ms[c] = exact_clock_ms(p, shown, now_ms);
        out->increment_ms[c] = p->setup.control[shown].increment_ms;
    }
    out->moves_to_go = play_moves_to_go(p, us);
}

GameEnd play_claim(const Play *p)
{
    GameEnd end = play_is_over(p) ? GAME_GOES_ON : draw_game_end(&p->now);
    return end == GAME_THREEFOLD || end == GAME_FIFTY ? end : GAME_GOES_ON;
}

void play_reason(const Play *p, char out[PLAY_REASON_SIZE])
{
    static const char *const names[] = {"White", "Black"};
    const PlayState *s = &p->state;
    const char *loser = s->loser < COLOR_COUNT ? names[s->loser] : "";
    const char *text = "";
    switch (s->end) {
    case PLAY_GOES_ON:
        break;
    case PLAY_BY_RULES:
        loser = "";
        text = draw_reason(s->rule);
        break;
    case PLAY_AGREED:
        text = "agreement";
        break;
    case PLAY_RESIGNED:
        text = " resigns";
        break;
    case PLAY_TIME:
        text = s->result == RESULT_DRAW ? " runs out of time, insufficient material to mate"
                                        : " loses on time";
        break;
    case PLAY_ADJUDICATED:
        text = s->result == RESULT_DRAW ? "adjudication" : " loses by adjudication";
        break;
    case PLAY_FORFEITED:
        text = " forfeits";
        break;
    case PLAY_STOPPED:
        loser = "";
        text = "stopped";
        break;
    }
    snprintf(out, PLAY_REASON_SIZE, "%s%s", loser, text);
}

/* -- The end -- */

void play_end(Play *p, PlayEnd end, Result result, Color loser, int64_t now_ms)
{
    PlayState *s = &p->state;
    if (play_is_over(p))
        return;
    s->left_ms[p->now.side] = play_clock_ms(p, p->now.side, now_ms);
    s->offer = COLOR_COUNT;
    s->end = end;
    s->result = result;
    s->loser = loser;
    changed(p);
}

static void end_by_rule(Play *p, GameEnd rule, int64_t now_ms)
{
    Color us = p->now.side;
    p->state.rule = rule;
    if (rule == GAME_CHECKMATE)
        play_end(p, PLAY_BY_RULES, result_win(color_other(us)), us, now_ms);
    else
        play_end(p, PLAY_BY_RULES, RESULT_DRAW, COLOR_COUNT, now_ms);
}

/* True when the rules end the game here. */
static bool ends_by_rules(Play *p, int64_t now_ms)
{
    GameEnd rule = draw_game_end(&p->now);
    if (rule == GAME_GOES_ON || p->setup.unjudged ||
        (p->setup.claims && play_claim(p) != GAME_GOES_ON))
        return false;
    end_by_rule(p, rule, now_ms);
    return true;
}

bool play_claim_draw(Play *p, int64_t now_ms)
{
    GameEnd rule = play_claim(p);
    if (rule == GAME_GOES_ON)
        return false;
    end_by_rule(p, rule, now_ms);
    return true;
}

void play_resign(Play *p, Color c, int64_t now_ms)
{
    play_end(p, PLAY_RESIGNED, result_win(color_other(c)), c, now_ms);
}

void play_agree_draw(Play *p, int64_t now_ms)
{
    play_end(p, PLAY_AGREED, RESULT_DRAW, COLOR_COUNT, now_ms);
}

bool play_offer_draw(Play *p, Color c, int64_t now_ms)
{
    if (play_is_over(p))
        return false;
    if (p->state.offer == color_other(c)) {
        play_agree_draw(p, now_ms);
        return true;
    }
    p->state.offer = c;
    return false;
}

void play_time_out(Play *p, int64_t now_ms)
{
    Color us = p->now.side, them = color_other(us);
    bool drawn = draw_side_cannot_mate(&p->now, them);
    play_end(p, PLAY_TIME, drawn ? RESULT_DRAW : result_win(them), us, now_ms);
}

static bool flag_fell(const Play *p, int64_t now_ms)
{
    return !p->setup.unjudged && play_clock_runs(p) &&
           exact_clock_ms(p, p->now.side, now_ms) + p->setup.margin_ms <= 0;
}

bool play_check_flag(Play *p, int64_t now_ms)
{
    if (!flag_fell(p, now_ms))
        return false;
    play_time_out(p, now_ms);
    return true;
}

/* -- Moves -- */

static Status make_room(Play *p, Message *why)
{
    return memory_grow(&p->moves, sizeof *p->moves, (size_t)p->count, &p->room)
               ? STATUS_OK
               : status_fail(why, STATUS_MEMORY, "not enough memory for another move");
}

static void push(Play *p, Move m, int64_t clock_ms)
{
    Undo undo;
    p->moves[p->count++] = (PlayMove){m, clock_ms};
    pos_make(&p->now, m, &undo);
}

static Status check_move(Play *p, Move m, Message *why)
{
    if (!pos_is_legal(&p->now, m))
        return status_fail(why, STATUS_INVALID, "the move is not legal");
    return make_room(p, why);
}

Status play_replay(Play *p, Move m, int64_t clock_ms, Message *why)
{
    Status s = check_move(p, m, why);
    if (s != STATUS_OK)
        return s;
    if (clock_ms >= 0)
        p->state.left_ms[p->now.side] = clock_ms;
    push(p, m, clock_ms);
    return STATUS_OK;
}

void play_mark_opening(Play *p)
{
    p->opening = p->count;
}

void play_resume(Play *p, int64_t now_ms)
{
    p->state.turn_ms = now_ms;
    ends_by_rules(p, now_ms);
}

void play_restore(Play *p, const PlayState *state)
{
    p->state = *state;
}

/* What the mover has left behind its move. */
static int64_t clock_behind_move(const Play *p, int64_t now_ms)
{
    Color us = p->now.side;
    const TimeControl *control = &p->setup.control[us];
    int64_t left = play_clock_ms(p, us, now_ms);
    if (play_clock_runs(p))
        left += control->increment_ms;
    return play_moves_to_go(p, us) == 1 ? left + control->base_ms : left;
}

Status play_move(Play *p, Move m, int64_t now_ms, Message *why)
{
    Color us = p->now.side;
    PlayState *s = &p->state;
    if (play_is_over(p) || play_check_flag(p, now_ms))
        return status_fail(why, STATUS_REFUSED, "the game is over");
    Status status = check_move(p, m, why);
    if (status != STATUS_OK)
        return status;
    if (play_has_clock(p, us))
        s->left_ms[us] = clock_behind_move(p, now_ms);
    push(p, m, play_has_clock(p, us) ? s->left_ms[us] : -1);
    s->turn_ms = now_ms;
    if (s->offer == color_other(us))
        s->offer = COLOR_COUNT; /* a move declines the offer */
    if (!ends_by_rules(p, now_ms))
        changed(p);
    return STATUS_OK;
}

/* -- Takebacks -- */

int play_plies_to_human(const Play *p)
{
    for (int back = 1; back <= p->count - p->opening; back++)
        if (p->setup.human[back % 2 ? color_other(p->now.side) : p->now.side])
            return back;
    return 0;
}

static void reset_state(Play *p, int64_t now_ms)
{
    p->state = (PlayState){.offer = COLOR_COUNT, .loser = COLOR_COUNT, .turn_ms = now_ms};
    for (Color c = WHITE; c <= BLACK; c++)
        p->state.left_ms[c] = p->setup.control[c].base_ms;
}

bool play_take_back(Play *p, int plies, int64_t now_ms)
{
    int kept = p->count - plies;
    if (plies < 0 || kept < p->opening)
        return false;
    reset_state(p, now_ms);
    p->now = p->start;
    p->count = 0;
    for (int i = 0; i < kept; i++) {
        PlayMove m = p->moves[i];
        if (m.clock_ms >= 0)
            p->state.left_ms[p->now.side] = m.clock_ms;
        push(p, m.move, m.clock_ms);
    }
    changed(p);
    return true;
}

/* -- Settings -- */

void play_set_control(Play *p, Color c, TimeControl control)
{
    p->setup.control[c] = control;
    p->state.left_ms[c] = control.base_ms;
}

void play_set_clock(Play *p, Color c, int64_t left_ms, int64_t now_ms)
{
    p->state.left_ms[c] = left_ms;
    if (c == p->now.side)
        p->state.turn_ms = now_ms;
}

/* -- Life -- */

void play_restart(Play *p, const Position *start, int64_t now_ms)
{
    if (start)
        p->start = *start;
    else
        pos_set_start(&p->start);
    p->now = p->start;
    p->count = p->opening = 0;
    reset_state(p, now_ms);
    ends_by_rules(p, now_ms);
}

Status play_open(Play *p, const PlaySetup *setup, int64_t now_ms, Message *why)
{
    *p = (Play){.setup = *setup};
    p->setup.start = NULL;
    play_restart(p, setup->start, now_ms);
    return make_room(p, why);
}

void play_close(Play *p)
{
    free(p->moves);
    p->moves = NULL;
}
