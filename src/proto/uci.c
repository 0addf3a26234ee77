/* UCI, the listening half: a line, its first word, a row of the table below. */
#include "proto/uci.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "engine/show.h"
#include "proto/uci_int.h"

#include <stdlib.h>

typedef struct Uci {
    Output *out;
    Engine *engine;
    Task task;
    int64_t arrived_ms; /* of the line in hand */
    Span rest;          /* of it, behind the command */
    bool unbounded;     /* the last search ends only when told */
    bool quit;
} Uci;

static int shown_length(Span s)
{
    return s.len < 80 ? (int)s.len : 80;
}

static void report(Uci *u, const Message *why)
{
    if (why->text[0])
        output_line(u->out, "info string %s", why->text);
}

/* -- Commands -- */

static void do_uci(Uci *u)
{
    uci_report_identity(u->out);
}

static void do_isready(Uci *u)
{
    output_line(u->out, "readyok");
}

static void do_ucinewgame(Uci *u)
{
    engine_new_game(u->engine);
}

/* "name N... [value V...]": names and values may hold blanks. */
static void do_setoption(Uci *u)
{
    Span rest = u->rest, word, name = {rest.at, 0}, value = {rest.at, 0};
    if (!span_next_word(&rest, &word) || !span_is(word, "name")) {
        output_line(u->out, "info string expected setoption name NAME [value VALUE]");
        return;
    }
    name.at = rest.at;
    while (span_next_word(&rest, &word)) {
        if (span_is(word, "value")) {
            value = span_trim(rest);
            break;
        }
        name.len = (size_t)(word.at + word.len - name.at);
    }
    Message why;
    engine_set_option(u->engine, span_trim(name), value, &why);
    report(u, &why);
}

static void play_moves(Uci *u, Span rest)
{
    Span word;
    Message why;
    while (span_next_word(&rest, &word)) {
        Move m = uci_move_read(engine_position(u->engine), word);
        if (engine_play(u->engine, m, &why) != STATUS_OK) {
            message_prefix(&why, "%.*s: ", shown_length(word), word.at);
            report(u, &why);
            return;
        }
    }
}

/* Cuts rest at the word "moves": the FEN is what stood before it. */
static Span take_fen(Span *rest)
{
    Span fen = {rest->at, 0}, word;
    while (span_next_word(rest, &word) && !span_is(word, "moves"))
        fen.len = (size_t)(word.at + word.len - fen.at);
    return span_trim(fen);
}

static void do_position(Uci *u)
{
    Span rest = u->rest, word;
    Message why;
    if (!span_next_word(&rest, &word)) {
        output_line(u->out, "info string expected position startpos or position fen");
        return;
    }
    bool is_start = span_is(word, "startpos");
    /* A bare FEN, without the word, is what people type. */
    if (!is_start && !span_is(word, "fen"))
        rest = (Span){word.at, (size_t)(rest.at + rest.len - word.at)};
    Span fen = take_fen(&rest);
    if (engine_set_fen(u->engine, is_start ? span_of(FEN_START) : fen, &why) == STATUS_OK)
        play_moves(u, rest);
    else
        report(u, &why);
}

static void do_go(Uci *u)
{
    GoRequest go;
    Message why = {""};
    task_stop(&u->task);
    task_wait(&u->task);
    uci_parse_go(u->rest, engine_position(u->engine), u->arrived_ms, &go);
    if (go.perft >= 0) {
        engine_end(u->engine);
        task_perft(&u->task, engine_position(u->engine), go.perft, &why);
        report(u, &why);
        return;
    }
    u->unbounded = go.limits.infinite || go.limits.ponder;
    engine_go(u->engine, NULL, &go.limits);
}

static void do_stop(Uci *u)
{
    task_stop(&u->task);
    engine_stop(u->engine);
}

static void do_ponderhit(Uci *u)
{
    engine_ponderhit(u->engine);
}

static void do_quit(Uci *u)
{
    u->quit = true;
}

static void do_d(Uci *u)
{
    Text t = text_new();
    show_position(engine_position(u->engine), &t);
    output_text(u->out, &t);
    text_free(&t);
}

static void do_eval(Uci *u)
{
    Text t = text_new();
    show_eval(engine_evaluator(u->engine), engine_position(u->engine), &t);
    output_text(u->out, &t);
    text_free(&t);
}

static void do_bench(Uci *u)
{
    Message why = {""};
    engine_end(u->engine);
    task_bench(&u->task, u->rest, &why);
    report(u, &why);
}

static void do_genfens(Uci *u)
{
    Message why = {""};
    engine_end(u->engine);
    task_genfens(&u->task, u->rest, &why);
    report(u, &why);
}

typedef struct UciCommand {
    const char *name;
    void (*run)(Uci *u); /* NULL: there is nothing to do */
} UciCommand;

static const UciCommand uci_commands[] = {
    {"uci", do_uci},
    {"isready", do_isready},
    {"ucinewgame", do_ucinewgame},
    {"setoption", do_setoption},
    {"position", do_position},
    {"go", do_go},
    {"stop", do_stop},
    {"ponderhit", do_ponderhit},
    {"quit", do_quit},
    {"debug", NULL},
    {"register", NULL},
    {"d", do_d},
    {"eval", do_eval},
    {"bench", do_bench},
    {"genfens", do_genfens},
};

static const UciCommand *find_command(Span word)
{
    for (size_t i = 0; i < sizeof uci_commands / sizeof *uci_commands; i++)
        if (span_is(word, uci_commands[i].name))
            return &uci_commands[i];
    return NULL;
}

/* -- The session -- */

bool uci_knows(Span word)
{
    return find_command(word) != NULL;
}

static Status uci_open(void **session, Port port, Message *why)
{
    Uci *u = calloc(1, sizeof *u);
    if (!u)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a session");
    u->out = port.out;
    u->task.out = port.out;
    EngineEvents events = {port.out, uci_report_line, uci_report_current_move, uci_report_done};
    Status s = engine_create(&u->engine, &events, why);
    return GIVE_OR_CLOSE(s, session, u, free);
}

/* As the protocol asks, unknown words before a command are passed over. */
static bool uci_line(void *session, Span line, int64_t arrived_ms)
{
    Uci *u = session;
    Span rest = line, word;
    u->arrived_ms = arrived_ms;
    while (span_next_word(&rest, &word)) {
        const UciCommand *c = find_command(word);
        if (c) {
            u->rest = rest;
            if (c->run)
                c->run(u);
            return !u->quit;
        }
    }
    line = span_trim(line);
    Message why = {""};
    if (line.len)
        status_fail(&why, STATUS_MISSING, "unknown command: %.*s", shown_length(line), line.at);
    report(u, &why);
    return true;
}

/* A search is ended. Other work is what somebody waits for at the end of a pipe, but not after
 * "quit". */
static void uci_close(void *session)
{
    Uci *u = session;
    if (u->quit)
        task_stop(&u->task);
    task_wait(&u->task);
    engine_destroy(u->engine);
    free(u);
}

const Protocol protocol_uci = {
    .too_long = "info string error: a line of more than 16 MB was ignored",
    .open = uci_open,
    .line = uci_line,
    .close = uci_close,
};

Status uci_run_lines(Output *out, char *const *lines, int count, Message *why)
{
    void *session = NULL;
    Status s = uci_open(&session, (Port){out, NULL}, why);
    if (s != STATUS_OK)
        return s;
    Uci *u = session;
    for (int i = 0; i < count && uci_line(u, span_of(lines[i]), clock_now_ms()); i++) {
        task_wait(&u->task);
        if (!u->unbounded)
            engine_wait(u->engine);
    }
    uci_close(session);
    return STATUS_OK;
}
