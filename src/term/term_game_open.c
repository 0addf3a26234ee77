/* How a game begins or is resumed, and who plays it. */
#include "base/clock.h"
#include "chess/fen.h"
#include "term/game_text.h"
#include "term/rating.h"
#include "term/term_game_int.h"

#include <stdio.h>
#include <stdlib.h>

/* -- Players -- */

static void wake(void *user)
{
    TermGame *t = user;
    if (t->events.wake)
        t->events.wake(t->events.user);
}

/* An opponent that adapts gets the strength of the day. */
static Status open_player(TermGame *t, TermPlayerSpec *spec, TermPlayer **player, Message *why)
{
    Message remark = {""};
    spec->at_once = t->at_once;
    if (spec->adapts) {
        if (!t->players[0])
            return status_fail(why, STATUS_REFUSED, "no ratings file to adapt to");
        Status s = rating_level(t->players, t->person, spec->offset, &spec->elo, &remark);
        if (s != STATUS_OK) {
            *why = remark;
            return s;
        }
        if (remark.text[0])
            term_game_remark(t, "%s", remark.text);
    }
    return term_player_open(player, spec, wake, t, why);
}

static void take_spec(TermGame *t, Color c, const TermPlayerSpec *spec)
{
    t->spec[c] = *spec;
    t->play.setup.human[c] = spec->human;
    if (spec->human)
        snprintf(t->spec[c].name, sizeof t->spec[c].name, "%s", t->person);
}

static Status open_players(TermGame *t, Message *why)
{
    Status s = STATUS_OK;
    for (Color c = WHITE; c <= BLACK && s == STATUS_OK; c++)
        if (!t->spec[c].human)
            s = open_player(t, &t->spec[c], &t->player[c], why);
    return s;
}

/* The file says who plays, also of a game that is under way. */
static void players_changed(TermGame *t)
{
    Message why;
    if (term_game_tag(t, &why) != STATUS_OK)
        term_game_remark(t, "%s", why.text);
    if (t->play.count)
        term_game_save(t);
}

Status term_game_set_player(TermGame *t, Color c, const TermPlayerSpec *spec, Message *why)
{
    TermPlayer *player = NULL;
    TermPlayerSpec wanted = *spec;
    if (!spec->human) {
        Status s = open_player(t, &wanted, &player, why);
        if (s != STATUS_OK)
            return s;
    }
    term_game_stop_thinking(t);
    term_player_close(t->player[c]);
    t->player[c] = player;
    take_spec(t, c, &wanted);
    players_changed(t);
    return STATUS_OK;
}

Status term_game_choose_player(TermGame *t, Color c, Span words, Message *said)
{
    TermPlayerSpec spec;
    char title[TERM_PLAYER_NAME_SIZE];
    Status s = term_player_read(words, &spec, said);
    if (s == STATUS_OK)
        s = term_game_set_player(t, c, &spec, said);
    if (s != STATUS_OK)
        return s;
    term_player_title(&spec, title);
    return status_fail(said, STATUS_OK, "%s is now played by %s.", game_text_color(c), title);
}

void term_game_swap_players(TermGame *t)
{
    term_game_stop_thinking(t);
    TermPlayerSpec spec = t->spec[WHITE];
    TermPlayer *player = t->player[WHITE];
    take_spec(t, WHITE, &t->spec[BLACK]);
    take_spec(t, BLACK, &spec);
    t->player[WHITE] = t->player[BLACK];
    t->player[BLACK] = player;
    players_changed(t);
}

void term_game_set_level(TermGame *t, int level)
{
    t->spec[WHITE].level = t->spec[BLACK].level = level;
}

Status term_game_set_option(TermGame *t, Span name, Span value, Message *why)
{
    Status s = status_fail(why, STATUS_REFUSED, "no program is playing");
    for (Color c = WHITE; c <= BLACK; c++)
        if (t->player[c])
            s = engine_set_option(t->player[c]->engine, name, value, why);
    return s;
}

/* -- Games -- */

static Status create(TermGame **out, const TermGameSetup *setup, const TermGameEvents *events,
                     Message *why)
{
    TermGame *t = calloc(1, sizeof *t);
    if (!t)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    *out = t;
    t->lock_fd = -1;
    t->events = *events;
    t->at_once = setup->player[WHITE].at_once || setup->player[BLACK].at_once;
    snprintf(t->person, sizeof t->person, "%s",
             setup->person ? setup->person : term_player_human().name);
    if (setup->players)
        snprintf(t->players, sizeof t->players, "%s", setup->players);
    if (setup->folder)
        snprintf(t->folder, sizeof t->folder, "%s", setup->folder);
    t->record = game_new();
    if (!t->record)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    t->last = game_root(t->record);
    const PlaySetup play = {.control = {setup->time, setup->time},
                            .free_plies = 2,
                            .changed = term_game_on_change,
                            .user = t};
    Status s = play_open(&t->play, &play, clock_now_ms(), why);
    for (Color c = WHITE; c <= BLACK; c++)
        take_spec(t, c, &setup->player[c]);
    return s;
}

static Status begin(TermGame *t, const Position *start, Message *why)
{
    Position usual;
    if (!start) {
        pos_set_start(&usual);
        start = &usual;
    }
    game_clear(t->record);
    term_game_forget_file(t);
    t->rated = t->end_is_told = false;
    Status s = game_set_start(t->record, start, why);
    t->last = game_root(t->record);
    if (s == STATUS_OK)
        s = term_game_tag(t, why);
    play_restart(&t->play, start, clock_now_ms());
    return s;
}

/* Plays the record again. */
static Status replay(TermGame *t, const TimeControl *control, Message *why)
{
    Status s = STATUS_OK;
    t->play.setup.control[WHITE] = t->play.setup.control[BLACK] = *control;
    play_restart(&t->play, game_start(t->record), clock_now_ms());
    for (GameNode *n = game_root(t->record)->child; n && s == STATUS_OK; n = n->child) {
        s = play_replay(&t->play, n->move, control->base_ms ? term_game_noted_clock(n) : -1, why);
        t->last = n;
    }
    if (s == STATUS_OK)
        play_resume(&t->play, clock_now_ms());
    return s;
}

static Status resume(TermGame *t, const char *person, Message *why)
{
    TimeControl control = {0};
    Status s = term_game_find_unfinished(t, person, why);
    if (s == STATUS_OK)
        s = term_game_read_tags(t, &control, why);
    for (Color c = WHITE; s == STATUS_OK && c <= BLACK; c++)
        take_spec(t, c, &t->spec[c]);
    if (s == STATUS_OK)
        s = open_players(t, why);
    return s == STATUS_OK ? replay(t, &control, why) : s;
}

Status term_game_open(TermGame **out, const TermGameSetup *setup, const TermGameEvents *events,
                      Message *why)
{
    TermGame *t = NULL;
    Status s = create(&t, setup, events, why);
    if (s == STATUS_OK && setup->resume) {
        s = resume(t, setup->person, why);
    } else if (s == STATUS_OK) {
        s = open_players(t, why);
        if (s == STATUS_OK)
            s = begin(t, setup->start, why);
    }
    if (s == STATUS_OK)
        term_game_report_end(t);
    return GIVE_OR_CLOSE(s, out, t, term_game_close);
}

void term_game_close(TermGame *t)
{
    if (!t)
        return;
    for (Color c = WHITE; c <= BLACK; c++)
        term_player_close(t->player[c]);
    term_game_forget_file(t);
    play_close(&t->play);
    game_free(t->record);
    free(t);
}

void term_game_new_game(TermGame *t, const Position *start)
{
    Message why;
    term_game_stop_thinking(t);
    for (Color c = WHITE; c <= BLACK; c++) {
        if (t->spec[c].adapts && term_game_set_player(t, c, &t->spec[c], &why) != STATUS_OK)
            term_game_remark(t, "%s", why.text);
        if (t->player[c])
            engine_new_game(t->player[c]->engine);
    }
    if (begin(t, start, &why) != STATUS_OK)
        term_game_remark(t, "%s", why.text);
    term_game_report_end(t);
}
