/* CECP (the protocol of xboard), version 2: the commands. */
#include "chess/draw.h"
#include "chess/uci_move.h"
#include "proto/cecp_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What an engine needs besides its table, out of the memory a GUI allows. */
enum { MEMORY_BESIDES_MB = 24 };

static int shown_length(Span s)
{
    return s.len < 80 ? (int)s.len : 80;
}

static void tell_error(Cecp *c, const char *kind, Span text)
{
    Message m;
    text = span_trim(text);
    status_fail(&m, STATUS_INVALID, "Error (%s): %.*s", kind, shown_length(text), text.at);
    output_line(c->port.out, "%s", m.text);
}

static void tell_debug(Cecp *c, const Message *why)
{
    if (why->text[0])
        output_line(c->port.out, "# %s", why->text);
}

static bool set_option(Cecp *c, const char *name, Span value)
{
    Message why;
    Status s = engine_set_option(c->engine, span_of(name), value, &why);
    tell_debug(c, &why);
    return s == STATUS_OK;
}

static bool one_number(Span rest, int64_t min, int64_t max, int64_t *out)
{
    Span word;
    return span_next_word(&rest, &word) && span_to_int64(word, min, max, out);
}

/* -- Every command: false means that what follows its name makes no sense -- */

static bool do_nothing(Cecp *c, Span rest)
{
    (void)c, (void)rest;
    return true;
}

static bool do_protover(Cecp *c, Span rest)
{
    int64_t version;
    if (!one_number(rest, 1, 1000, &version))
        return false;
    if (version >= 2)
        cecp_tell_features(c->port.out);
    return true;
}

static bool do_new(Cecp *c, Span rest)
{
    (void)rest;
    cecp_abort(c);
    set_option(c, "UCI_Chess960", span_of("false"));
    engine_set_start(c->engine);
    c->force = c->analyse;
    c->side = BLACK;
    cecp_begin_game(c);
    return true;
}

static bool do_variant(Cecp *c, Span rest)
{
    rest = span_trim(rest);
    bool chess960 = span_is(rest, "fischerandom");
    if (!chess960 && !span_is(rest, "normal"))
        return false;
    cecp_abort(c);
    set_option(c, "UCI_Chess960", span_of(chess960 ? "true" : "false"));
    cecp_position_changed(c);
    return true;
}

static bool do_setboard(Cecp *c, Span rest)
{
    Message why;
    cecp_abort(c);
    if (engine_set_fen(c->engine, span_trim(rest), &why) != STATUS_OK)
        output_line(c->port.out, "tellusererror Illegal position: %s", why.text);
    cecp_position_changed(c);
    return true;
}

static bool do_force(Cecp *c, Span rest)
{
    (void)rest;
    cecp_abort(c);
    c->force = true;
    return true;
}

static bool do_go(Cecp *c, Span rest)
{
    (void)rest;
    const Position *p = engine_position(c->engine);
    cecp_abort(c);
    c->analyse = c->force = false;
    c->side = p->side;
    cecp_think(c);
    return true;
}

static bool do_playother(Cecp *c, Span rest)
{
    (void)rest;
    cecp_abort(c);
    c->analyse = c->force = false;
    c->side = color_other(engine_position(c->engine)->side);
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

static bool do_usermove(Cecp *c, Span rest)
{
    rest = span_trim(rest);
    Message told;
    Move m = MOVE_NONE;
    if (c->activity != ACTIVITY_MOVING)
        m = read_move(engine_position(c->engine), rest);
    if (m != MOVE_NONE) {
        cecp_take_move(c, m);
        return true;
    }
    status_fail(&told, STATUS_INVALID, "Illegal move%s: %.*s",
                c->activity == ACTIVITY_MOVING ? " (not your turn)" : "", shown_length(rest),
                rest.at);
    output_line(c->port.out, "%s", told.text);
    return true;
}

static bool undo(Cecp *c, int plies)
{
    cecp_abort(c);
    if (!engine_undo(c->engine, plies))
        return false;
    cecp_position_changed(c);
    return true;
}

static bool do_undo(Cecp *c, Span rest)
{
    (void)rest;
    return undo(c, 1);
}

static bool do_remove(Cecp *c, Span rest)
{
    (void)rest;
    return undo(c, 2);
}

static bool do_level(Cecp *c, Span rest)
{
    return cecp_clock_level(&c->clock, rest);
}

static bool do_st(Cecp *c, Span rest)
{
    double seconds;
    if (!span_to_double(span_trim(rest), &seconds) || seconds <= 0 || seconds > 1e8)
        return false;
    cecp_clock_exact(&c->clock, seconds < 0.001 ? 1 : (int64_t)(seconds * 1000));
    return true;
}

/* Time is then counted in nodes, so many a second; a negative rate means by the clock. */
static bool do_nps(Cecp *c, Span rest)
{
    int64_t rate;
    if (!one_number(rest, -1, INT32_MAX, &rate))
        return false;
    c->clock.node_rate = rate > 0 ? rate : 0;
    c->clock.rate_is_new = true;
    return true;
}

static bool do_sd(Cecp *c, Span rest)
{
    int64_t depth;
    if (!one_number(rest, 1, INT32_MAX, &depth))
        return false;
    c->clock.depth = (int)depth;
    return true;
}

static bool read_centiseconds(Span rest, int64_t *ms)
{
    if (!one_number(rest, -INT32_MAX, INT32_MAX, ms))
        return false;
    *ms *= 10;
    return true;
}

static bool do_time(Cecp *c, Span rest)
{
    return read_centiseconds(rest, &c->clock.own_ms);
}

static bool do_otim(Cecp *c, Span rest)
{
    return read_centiseconds(rest, &c->clock.other_ms);
}

static bool do_move_now(Cecp *c, Span rest)
{
    (void)rest;
    if (c->activity != ACTIVITY_MOVING)
        return true;
    engine_end(c->engine);
    cecp_wake(c);
    return true;
}

/* A pong means that everything before is done; a move that is being thought about is not. */
static bool do_ping(Cecp *c, Span rest)
{
    int64_t number;
    if (!one_number(rest, INT64_MIN, INT64_MAX, &number))
        return false;
    if (c->activity == ACTIVITY_MOVING)
        text_addf(&c->pongs, "pong %" PRId64 "\n", number);
    else
        output_line(c->port.out, "pong %" PRId64, number);
    return true;
}

/* Accepted by offering it too, at once or with the move that is being thought about. */
static bool do_draw(Cecp *c, Span rest)
{
    (void)rest;
    if (engine_accepts_draw(c->engine, NULL))
        output_line(c->port.out, "offer draw");
    else
        c->draw_asked = c->activity == ACTIVITY_MOVING;
    return true;
}

static bool do_result(Cecp *c, Span rest)
{
    (void)rest;
    cecp_abort(c);
    return true;
}

static bool do_hint(Cecp *c, Span rest)
{
    (void)rest;
    char text[SAN_SIZE];
    if (cecp_hint(c, text))
        output_line(c->port.out, "Hint: %s", text);
    return true;
}

static bool do_bk(Cecp *c, Span rest)
{
    (void)rest;
    output_line(c->port.out, " no book\n");
    return true;
}

static bool set_ponder(Cecp *c, bool hard)
{
    c->hard = hard;
    if (!hard && c->activity == ACTIVITY_PONDERING)
        cecp_abort(c);
    return set_option(c, "Ponder", span_of(hard ? "true" : "false"));
}

static bool do_hard(Cecp *c, Span rest)
{
    (void)rest;
    return set_ponder(c, true);
}

static bool do_easy(Cecp *c, Span rest)
{
    (void)rest;
    return set_ponder(c, false);
}

static bool set_post(Cecp *c, bool post)
{
    c->post = post;
    mutex_lock(&c->box.lock);
    c->box.show = cecp_posts(c, c->activity);
    mutex_unlock(&c->box.lock);
    return true;
}

static bool do_post(Cecp *c, Span rest)
{
    (void)rest;
    return set_post(c, true);
}

static bool do_nopost(Cecp *c, Span rest)
{
    (void)rest;
    return set_post(c, false);
}

static bool do_analyze(Cecp *c, Span rest)
{
    (void)rest;
    cecp_abort(c);
    c->analyse = c->force = true;
    cecp_position_changed(c);
    return true;
}

static bool do_exit(Cecp *c, Span rest)
{
    (void)rest;
    if (!c->analyse)
        return false;
    cecp_abort(c);
    c->analyse = false;
    return true;
}

static bool do_status(Cecp *c, Span rest)
{
    (void)rest;
    if (c->activity == ACTIVITY_ANALYSING)
        cecp_tell_status(c);
    return true;
}

static bool do_memory(Cecp *c, Span rest)
{
    int64_t megabytes;
    char text[32];
    if (!one_number(rest, 1, INT32_MAX, &megabytes))
        return false;
    megabytes -= megabytes > 2 * MEMORY_BESIDES_MB ? MEMORY_BESIDES_MB : megabytes / 2;
    snprintf(text, sizeof text, "%" PRId64, megabytes);
    return set_option(c, "Hash", span_of(text));
}

static bool do_cores(Cecp *c, Span rest)
{
    return set_option(c, "Threads", span_trim(rest));
}

static bool do_egtpath(Cecp *c, Span rest)
{
    Span kind;
    if (!span_next_word(&rest, &kind))
        return false;
    if (span_is_ignoring_case(kind, "syzygy"))
        set_option(c, "SyzygyPath", span_trim(rest));
    return true;
}

/* "NAME=VALUE", or "NAME" for a button. */
static bool do_option(Cecp *c, Span rest)
{
    Span name = {rest.at, 0}, value = {rest.at, 0};
    while (name.len < rest.len && rest.at[name.len] != '=')
        name.len++;
    if (name.len < rest.len)
        value = (Span){rest.at + name.len + 1, rest.len - name.len - 1};
    Message why;
    Status s = engine_set_option(c->engine, span_trim(name), span_trim(value), &why);
    tell_debug(c, &why);
    return s != STATUS_MISSING;
}

static bool do_quit(Cecp *c, Span rest)
{
    (void)rest;
    c->quit = true;
    return true;
}

typedef struct CecpCommand {
    const char *name;
    bool (*run)(Cecp *c, Span rest);
} CecpCommand;

static const CecpCommand cecp_commands[] = {
    {"xboard", do_nothing},
    {"protover", do_protover},
    {"accepted", do_nothing},
    {"rejected", do_nothing},
    {"new", do_new},
    {"variant", do_variant},
    {"quit", do_quit},
    {"random", do_nothing},
    {"force", do_force},
    {"go", do_go},
    {"playother", do_playother},
    {"level", do_level},
    {"st", do_st},
    {"sd", do_sd},
    {"time", do_time},
    {"otim", do_otim},
    {"usermove", do_usermove},
    {"?", do_move_now},
    {"ping", do_ping},
    {"draw", do_draw},
    {"result", do_result},
    {"setboard", do_setboard},
    {"hint", do_hint},
    {"bk", do_bk},
    {"undo", do_undo},
    {"remove", do_remove},
    {"hard", do_hard},
    {"easy", do_easy},
    {"post", do_post},
    {"nopost", do_nopost},
    {"analyze", do_analyze},
    {"exit", do_exit},
    {".", do_status},
    {"name", do_nothing},
    {"rating", do_nothing},
    {"ics", do_nothing},
    {"computer", do_nothing},
    {"nps", do_nps},
    {"memory", do_memory},
    {"cores", do_cores},
    {"egtpath", do_egtpath},
    {"option", do_option},
};

static const CecpCommand *find_command(Span word)
{
    for (size_t i = 0; i < sizeof cecp_commands / sizeof *cecp_commands; i++)
        if (span_is(word, cecp_commands[i].name))
            return &cecp_commands[i];
    return NULL;
}

/* -- The session -- */

static bool cecp_knows(Span word)
{
    return find_command(word) != NULL;
}

static Status cecp_open(void **session, Port port, Message *why)
{
    Cecp *c = calloc(1, sizeof *c);
    if (!c)
        return status_fail(why, STATUS_MEMORY, "no memory for a session");
    c->port = port;
    c->side = BLACK;
    mutex_init(&c->box.lock);
    text_init(&c->pongs);
    text_init(&c->box.line);
    cecp_clock_init(&c->clock);
    EngineEvents events = {c, cecp_tell_line, cecp_tell_current_move, cecp_done};
    Status s = engine_create(&c->engine, &events, why);
    if (s != STATUS_OK) {
        mutex_free(&c->box.lock);
        free(c);
        return s;
    }
    *session = c;
    return STATUS_OK;
}

/* A line whose first word is no command may be a move, from GUIs that do without "usermove". */
static void run_line(Cecp *c, Span line)
{
    Span rest = line, word;
    if (!span_next_word(&rest, &word))
        return;
    const CecpCommand *command = find_command(word);
    if (!command && c->activity != ACTIVITY_MOVING &&
        read_move(engine_position(c->engine), word) != MOVE_NONE)
        do_usermove(c, word);
    else if (!command)
        tell_error(c, "unknown command", line);
    else if (!command->run(c, rest))
        tell_error(c, "command not legal now or not understood", line);
}

static bool cecp_line(void *session, Span line, int64_t arrived_ms)
{
    Cecp *c = session;
    c->arrived_ms = arrived_ms;
    cecp_wake(c);
    run_line(c, line);
    return !c->quit;
}

static void cecp_close(void *session)
{
    Cecp *c = session;
    cecp_abort(c);
    engine_destroy(c->engine);
    mutex_free(&c->box.lock);
    text_free(&c->pongs);
    text_free(&c->box.line);
    free(c);
}

const Protocol protocol_cecp = {
    .name = "xboard",
    .knows = cecp_knows,
    .open = cecp_open,
    .line = cecp_line,
    .wake = cecp_wake,
    .close = cecp_close,
};
