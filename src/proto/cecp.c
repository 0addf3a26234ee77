/* CECP (the protocol of xboard), version 2: the commands. */
#include "base/clock.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "proto/cecp_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shown_length(Span s)
{
    return s.len < 80 ? (int)s.len : 80;
}

static void report_error(Cecp *c, const char *kind, Span text)
{
    Message m;
    text = span_trim(text);
    status_fail(&m, STATUS_INVALID, "Error (%s): %.*s", kind, shown_length(text), text.at);
    output_line(c->port.out, "%s", m.text);
}

/* -- Commands of the game -- */

/* Chess Mantis has a random element, which `random` switches on and off; a new game begins without
 * it. The setting stands at the end of the opponent's settings. */
static void set_random(Cecp *c, bool toggle)
{
    static const char ON[] = "random=on";
    const size_t length = sizeof ON - 1;
    Span settings = span_of(engine_string(c->engine, OPTION_OPPONENT_SETTINGS));
    bool is_on =
        settings.len >= length && span_is((Span){settings.at + settings.len - length, length}, ON);
    if (!opponent_has_setting(engine_opponent(c->engine), span_of("random")) || (!is_on && !toggle))
        return;
    Text t = text_new();
    text_addf(&t, "%.*s", (int)(is_on ? settings.len - length : settings.len), settings.at);
    if (!is_on)
        text_addf(&t, "%s%s", settings.len && settings.at[settings.len - 1] != ',' ? "," : "", ON);
    cecp_set_option(c, "Opponent Settings", (Span){t.at, t.len});
    text_free(&t);
}

static bool do_random(Cecp *c)
{
    set_random(c, true);
    return true;
}

static bool do_new(Cecp *c)
{
    cecp_abort(c);
    set_random(c, false);
    cecp_set_option(c, "UCI_Chess960", span_of("false"));
    play_restart(&c->play, NULL, c->arrived_ms);
    c->has_time[0] = c->has_time[1] = false;
    c->depth = 0;
    c->force = c->analyse;
    c->side = BLACK;
    engine_new_game(c->engine);
    cecp_position_changed(c);
    return true;
}

/* Another position; the clocks stay. A bad one changes nothing. */
static bool set_position(Cecp *c, Span fen)
{
    Message why;
    Position p;
    PlayState before = c->play.state;
    if (fen_parse(&p, fen, engine_number(c->engine, OPTION_CHESS960) != 0, &why) == STATUS_OK) {
        play_restart(&c->play, &p, c->arrived_ms);
        memcpy(c->play.state.left_ms, before.left_ms, sizeof before.left_ms);
    } else {
        output_line(c->port.out, "tellusererror Illegal position: %s", why.text);
    }
    cecp_position_changed(c);
    return true;
}

static bool do_variant(Cecp *c)
{
    bool chess960 = span_is(c->rest, "fischerandom");
    if (!chess960 && !span_is(c->rest, "normal"))
        return false;
    cecp_abort(c);
    cecp_set_option(c, "UCI_Chess960", span_of(chess960 ? "true" : "false"));
    char fen[FEN_SIZE];
    fen_write(&c->play.now, FEN_SHREDDER, fen);
    return set_position(c, span_of(fen));
}

static bool do_setboard(Cecp *c)
{
    cecp_abort(c);
    return set_position(c, c->rest);
}

static bool do_force(Cecp *c)
{
    cecp_abort(c);
    c->force = true;
    return true;
}

static bool do_go(Cecp *c)
{
    const Position *p = &c->play.now;
    cecp_abort(c);
    c->analyse = c->force = false;
    c->side = p->side;
    cecp_think(c);
    return true;
}

static bool do_playother(Cecp *c)
{
    cecp_abort(c);
    c->analyse = c->force = false;
    c->side = color_other(c->play.now.side);
    cecp_ponder(c);
    return true;
}

static Move read_move(const Position *p, Span text)
{
    Move m = uci_move_read(p, text);
    if (m == MOVE_NONE && san_read(p, text, &m, NULL) != STATUS_OK)
        m = MOVE_NONE;
    return pos_is_legal(p, m) ? m : MOVE_NONE;
}

static bool do_usermove(Cecp *c)
{
    Message told;
    Move m = MOVE_NONE;
    if (c->activity != ACTIVITY_MOVING)
        m = read_move(&c->play.now, c->rest);
    if (m != MOVE_NONE) {
        cecp_take_move(c, m);
        return true;
    }
    status_fail(&told, STATUS_INVALID, "Illegal move%s: %.*s",
                c->activity == ACTIVITY_MOVING ? " (not your turn)" : "", shown_length(c->rest),
                c->rest.at);
    output_line(c->port.out, "%s", told.text);
    return true;
}

static bool do_undo(Cecp *c)
{
    cecp_abort(c);
    if (!play_take_back(&c->play, c->command->value, c->arrived_ms))
        return false;
    cecp_position_changed(c);
    return true;
}

static bool do_move_now(Cecp *c)
{
    if (c->activity != ACTIVITY_MOVING)
        return true;
    engine_end(c->engine);
    cecp_wake(c);
    return true;
}

/* A pong means that everything before is done; a move that is being thought about is not. */
static bool do_ping(Cecp *c)
{
    int64_t number;
    if (!cecp_read_number(c, INT64_MIN, INT64_MAX, &number))
        return false;
    if (c->activity == ACTIVITY_MOVING)
        text_addf(&c->pongs, "pong %" PRId64 "\n", number);
    else
        output_line(c->port.out, "pong %" PRId64, number);
    return true;
}

/* Accepted by offering it too, at once or with the move that is being thought about. */
static bool do_draw(Cecp *c)
{
    if (engine_accepts_draw(c->engine, &c->play.now))
        output_line(c->port.out, "offer draw");
    else
        c->draw_asked = c->activity == ACTIVITY_MOVING;
    return true;
}

static bool do_result(Cecp *c)
{
    cecp_abort(c);
    return true;
}

static bool do_hint(Cecp *c)
{
    char text[SAN_SIZE];
    if (cecp_hint(c, text))
        output_line(c->port.out, "Hint: %s", text);
    return true;
}

static bool do_bk(Cecp *c)
{
    output_line(c->port.out, " no book\n");
    return true;
}

static bool do_analyze(Cecp *c)
{
    cecp_abort(c);
    c->analyse = c->force = true;
    cecp_position_changed(c);
    return true;
}

static bool do_exit(Cecp *c)
{
    if (!c->analyse)
        return false;
    cecp_abort(c);
    c->analyse = false;
    return true;
}

static bool do_status(Cecp *c)
{
    if (c->activity == ACTIVITY_ANALYSING)
        cecp_report_status(c);
    return true;
}

static bool do_quit(Cecp *c)
{
    c->quit = true;
    return true;
}

static const CecpCommand cecp_commands[] = {
    {"xboard", NULL, 0},
    {"accepted", NULL, 0},
    {"rejected", NULL, 0},
    {"new", do_new, 0},
    {"variant", do_variant, 0},
    {"quit", do_quit, 0},
    {"random", do_random, 0},
    {"force", do_force, 0},
    {"go", do_go, 0},
    {"playother", do_playother, 0},
    {"usermove", do_usermove, 0},
    {"?", do_move_now, 0},
    {"ping", do_ping, 0},
    {"draw", do_draw, 0},
    {"result", do_result, 0},
    {"setboard", do_setboard, 0},
    {"hint", do_hint, 0},
    {"bk", do_bk, 0},
    {"undo", do_undo, 1},
    {"remove", do_undo, 2},
    {"analyze", do_analyze, 0},
    {"exit", do_exit, 0},
    {".", do_status, 0},
    {"name", NULL, 0},
    {"rating", NULL, 0},
    {"ics", NULL, 0},
    {"computer", NULL, 0},
    {0},
};

static const CecpCommand *find_row(const CecpCommand *row, Span word)
{
    while (row->name && !span_is(word, row->name))
        row++;
    return row->name ? row : NULL;
}

static const CecpCommand *find_command(Span word)
{
    const CecpCommand *setting = find_row(cecp_settings, word);
    return setting ? setting : find_row(cecp_commands, word);
}

/* -- The session -- */

static void cecp_close(void *session)
{
    Cecp *c = session;
    cecp_abort(c);
    engine_destroy(c->engine);
    play_close(&c->play);
    mutex_free(&c->box.lock);
    text_free(&c->pongs);
    text_free(&c->box.line);
    free(c);
}

static Status cecp_open(void **session, Port port, Message *why)
{
    Cecp *c = calloc(1, sizeof *c);
    if (!c)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a session");
    c->port = port;
    c->side = BLACK;
    mutex_init(&c->box.lock);
    text_init(&c->pongs);
    text_init(&c->box.line);
    EngineEvents events = {c, cecp_report_line, cecp_report_current_move, cecp_done};
    Status s = play_open(&c->play, &(PlaySetup){.unjudged = true}, clock_now_ms(), why);
    if (s == STATUS_OK)
        s = engine_create(&c->engine, &events, why);
    if (s == STATUS_OK)
        cecp_full_clocks(c, (TimeControl){5 * 60 * 1000, 0, 40}); /* xboard's own default */
    return GIVE_OR_CLOSE(s, session, c, cecp_close);
}

/* A line whose first word is no command may be a move, from GUIs that do without "usermove". */
static void run_line(Cecp *c, Span line)
{
    Span rest = line, word;
    if (!span_next_word(&rest, &word))
        return;
    const CecpCommand *command = find_command(word);
    c->command = command;
    c->rest = span_trim(command ? rest : word);
    if (!command && c->activity != ACTIVITY_MOVING && read_move(&c->play.now, word) != MOVE_NONE)
        do_usermove(c);
    else if (!command)
        report_error(c, "unknown command", line);
    else if (command->run && !command->run(c))
        report_error(c, "command not legal now or not understood", line);
}

static bool cecp_line(void *session, Span line, int64_t arrived_ms)
{
    Cecp *c = session;
    c->arrived_ms = arrived_ms;
    cecp_wake(c);
    run_line(c, line);
    return !c->quit;
}

const Protocol protocol_cecp = {
    .too_long = "Error (line of more than 16 MB): ignored",
    .open = cecp_open,
    .line = cecp_line,
    .wake = cecp_wake,
    .close = cecp_close,
};
