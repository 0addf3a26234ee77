#include "base/clock.h"
#include "base/file.h"
#include "term/game_text.h"
#include "term/rating.h"
#include "term/term_game_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- Reporting -- */

void term_game_remark(const TermGame *t, const char *format, ...)
{
    char text[OPPONENT_TALK_SIZE + TERM_PLAYER_NAME_SIZE];
    va_list args;
    if (!t->events.remark)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    t->events.remark(t->events.user, text);
}

/* -- Looking -- */

Move term_game_at(const TermGame *t, int ply, Position *out)
{
    play_position(&t->play, ply, out);
    return ply ? t->play.moves[ply - 1].move : MOVE_NONE;
}

bool term_game_human_to_move(const TermGame *t)
{
    return !play_is_over(&t->play) && t->spec[t->play.now.side].human;
}

bool term_game_is_thinking(const TermGame *t)
{
    const TermPlayer *p = t->player[t->play.now.side];
    return !play_is_over(&t->play) && p && p->asked;
}

int64_t term_game_clock(const TermGame *t, Color c)
{
    return play_clock_ms(&t->play, c, clock_now_ms());
}

/* -- The record follows the game -- */

static void record_move(TermGame *t, int ply)
{
    GameNode *n = game_append(t->record, t->last, t->play.moves[ply].move);
    if (!n) {
        term_game_remark(t, "The game is not saved: not enough memory for the move");
        return;
    }
    t->last = n;
    if (t->play.moves[ply].clock_ms >= 0)
        term_game_note_clock(t, t->play.moves[ply].clock_ms);
}

void term_game_on_change(void *user, const Play *p)
{
    TermGame *t = user;
    while (game_ply(t->last) > p->count) {
        GameNode *gone = t->last;
        t->last = gone->parent;
        game_delete(gone);
    }
    for (int ply = game_ply(t->last); ply < p->count; ply++)
        record_move(t, ply);
    game_set_result(t->record, p->state.result);
    term_game_save(t);
}

/* -- The end -- */

/* Reports how the person did, once a game, to the file that opponents adapt to. */
static void rate(TermGame *t)
{
    Message why;
    Color person = t->spec[WHITE].human ? WHITE : BLACK;
    const TermPlayerSpec *other = &t->spec[color_other(person)];
    if (t->rated || !t->players[0] || !t->spec[person].human || !other->adapts || t->play.count < 2)
        return;
    double score = result_half_points(t->play.state.result, person) / 2.0;
    char folder[TERM_GAME_PATH_SIZE];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(t->players, '/') - t->players),
             t->players);
    Status s = file_make_folders(folder, 0777, &why);
    if (s == STATUS_OK)
        s = rating_result(t->players, t->spec[person].name, other->elo, score, &why);
    if (why.text[0])
        term_game_remark(t, "%s", why.text);
    t->rated = s == STATUS_OK;
}

void term_game_stop_thinking(TermGame *t)
{
    for (Color c = WHITE; c <= BLACK; c++)
        if (t->player[c])
            term_player_cancel(t->player[c]);
}

/* Behind everything that may end the game. */
void term_game_report_end(TermGame *t)
{
    play_reason(&t->play, t->reason);
    if (!play_is_over(&t->play) || t->end_is_told)
        return;
    t->end_is_told = true;
    term_game_stop_thinking(t);
    rate(t);
    if (t->events.ended)
        t->events.ended(t->events.user);
}

/* -- Moves -- */

static Status make_move(TermGame *t, Move m, const EngineResult *said, Message *why)
{
    Color mover = t->play.now.side;
    Status s = play_move(&t->play, m, clock_now_ms(), why);
    if (s == STATUS_OK && t->events.moved)
        t->events.moved(t->events.user, mover, said);
    term_game_report_end(t);
    return s;
}

Status term_game_play(TermGame *t, Move m, Message *why)
{
    if (!play_is_over(&t->play) && !t->spec[t->play.now.side].human)
        return status_fail(why, STATUS_REFUSED, "it is not your turn");
    return make_move(t, m, NULL, why);
}

Status term_game_take_back(TermGame *t, Message *why)
{
    int back = play_plies_to_human(&t->play);
    if (!back)
        return status_fail(why, STATUS_REFUSED, "there is no move to take back");
    term_game_stop_thinking(t);
    for (Color c = WHITE; c <= BLACK; c++)
        if (t->player[c])
            engine_forget_scores(t->player[c]->engine);
    t->end_is_told = false;
    play_take_back(&t->play, back, clock_now_ms());
    term_game_report_end(t);
    return STATUS_OK;
}

/* The person who is to move, or the only one. */
static Status find_person(const TermGame *t, Color *c, const char *can, Message *why)
{
    Color us = t->play.now.side;
    *c = t->spec[us].human ? us : color_other(us);
    if (play_is_over(&t->play))
        return status_fail(why, STATUS_REFUSED, "the game is over");
    if (!t->spec[*c].human)
        return status_fail(why, STATUS_REFUSED, "no human player can %s", can);
    return STATUS_OK;
}

Status term_game_resign(TermGame *t, Message *why)
{
    Color c;
    Status s = find_person(t, &c, "resign", why);
    if (s == STATUS_OK) {
        play_resign(&t->play, c, clock_now_ms());
        term_game_report_end(t);
    }
    return s;
}

/* Two people at one board: the offer stands until the other moves or offers too. */
static Status offer_to_person(TermGame *t, Color c, Message *why)
{
    /* The one who is to move answers an offer; only the other one can have made it. */
    if (t->play.state.offer == c)
        c = color_other(c);
    if (play_offer_draw(&t->play, c, clock_now_ms())) {
        term_game_report_end(t);
        return STATUS_OK;
    }
    return status_fail(why, STATUS_REFUSED,
                       "%s offers a draw: %s accepts with \"draw\", or moves to decline",
                       game_text_color(c), game_text_color(color_other(c)));
}

Status term_game_offer_draw(TermGame *t, Message *why)
{
    Color c;
    Status s = find_person(t, &c, "offer a draw", why);
    if (s != STATUS_OK)
        return s;
    Color other = color_other(c);
    if (t->spec[other].human)
        return offer_to_person(t, c, why);
    bool agreed =
        t->play.state.offer == other ||
        (t->play.now.side == c && engine_accepts_draw(t->player[other]->engine, &t->play.now));
    if (!agreed) {
        char title[TERM_PLAYER_NAME_SIZE];
        term_player_title(&t->spec[other], title);
        return status_fail(why, STATUS_REFUSED, "%s declines the draw", title);
    }
    play_agree_draw(&t->play, clock_now_ms());
    term_game_report_end(t);
    return STATUS_OK;
}

void term_game_hurry(TermGame *t)
{
    if (t->player[t->play.now.side])
        engine_stop(t->player[t->play.now.side]->engine);
}

/* -- Programs -- */

static void take_answer(TermGame *t, const EngineResult *a)
{
    Message why;
    Color c = t->play.now.side;
    char title[TERM_PLAYER_NAME_SIZE];
    term_player_title(&t->spec[c], title);
    if (a->talk[0])
        term_game_remark(t, "%s: %s", title, a->talk);
    if (a->resigns) {
        play_resign(&t->play, c, clock_now_ms());
        term_game_report_end(t);
        return;
    }
    if (a->best == MOVE_NONE || make_move(t, a->best, a, &why) != STATUS_OK ||
        play_is_over(&t->play))
        return;
    if (a->offers_draw && t->spec[color_other(c)].human) {
        play_offer_draw(&t->play, c, clock_now_ms());
        term_game_remark(t, "%s offers a draw: accept with \"draw\", or move to decline.", title);
    }
}

static bool tick_program(TermGame *t, TermPlayer *p)
{
    EngineResult answer;
    if (!p->asked) {
        term_player_think(p, &t->play, t->spec[t->play.now.side].level);
        return true;
    }
    if (!term_player_take(p, &answer))
        return false;
    take_answer(t, &answer);
    return true;
}

bool term_game_tick(TermGame *t)
{
    if (play_is_over(&t->play))
        return false;
    if (play_check_flag(&t->play, clock_now_ms())) {
        term_game_report_end(t);
        return true;
    }
    TermPlayer *p = t->player[t->play.now.side];
    return p && tick_program(t, p);
}

int64_t term_game_due(const TermGame *t)
{
    Color us = t->play.now.side;
    if (play_is_over(&t->play))
        return -1;
    if (t->player[us] && !t->player[us]->asked)
        return 0;
    return play_clock_runs(&t->play) ? term_game_clock(t, us) : -1;
}

void term_game_settle(TermGame *t)
{
    while (!play_is_over(&t->play) && t->player[t->play.now.side]) {
        if (!term_game_tick(t))
            engine_wait(t->player[t->play.now.side]->engine);
    }
}
