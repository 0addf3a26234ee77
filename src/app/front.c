#include "app/front.h"

#include "base/memory.h"
#include "base/os.h"
#include "proto/uci.h"

#include <unistd.h>

Status front_open(FrontEnds *ends, Message *why)
{
    Status s = input_open(&ends->in, STDIN_FILENO, why);
    if (s == STATUS_OK)
        output_open(&ends->out, STDOUT_FILENO);
    else
        message_prefix(why, "standard input: ");
    return s;
}

static Status close_output(Output *out, Status s, Message *why)
{
    if (s == STATUS_OK && (s = output_status(out, why)) != STATUS_OK)
        message_prefix(why, "standard output: ");
    output_close(out);
    return s;
}

Status front_close(FrontEnds *ends, Status s, Message *why)
{
    s = close_output(&ends->out, s, why);
    input_close(&ends->in);
    return s;
}

/* -- A game in lines -- */

static void say(void *user, const Text *text)
{
    FrontEnds *ends = user;
    output_text(&ends->out, text);
}

static void wake(void *user)
{
    FrontEnds *ends = user;
    input_wake(&ends->in);
}

static void converse(Line *l, FrontEnds *ends)
{
    for (;;) {
        Span line;
        switch (input_next_within(&ends->in, line_due(l), &line)) {
        case INPUT_LINE:
            if (!line_feed(l, line))
                return;
            break;
        case INPUT_TOO_LONG:
            output_line(&ends->out, "A line of more than 16 MB was ignored.");
            break;
        case INPUT_WAKE:
        case INPUT_TIME:
            line_wake(l);
            break;
        case INPUT_END:
            return;
        }
    }
}

Status front_play(LineSetup setup, Message *why)
{
    FrontEnds ends;
    Line *l;
    Status s = front_open(&ends, why);
    if (s != STATUS_OK)
        return s;
    setup.scripted = !isatty(STDIN_FILENO);
    for (Color c = WHITE; c <= BLACK; c++)
        setup.game.player[c].at_once = setup.game.player[c].at_once || setup.scripted;
    LineEnds line_ends = {.user = &ends, .say = say, .wake = wake};
    s = line_open(&l, &setup, &line_ends, why);
    if (s == STATUS_OK) {
        converse(l, &ends);
        line_close(l);
    }
    return front_close(&ends, s, why);
}

/* Castellan's console: a person against the engine, with the board drawn. */
static Status play_console(Message *why)
{
    char folder[TERM_GAME_PATH_SIZE], players[TERM_GAME_PATH_SIZE];
    LineSetup setup = {.ask = true, .show_board = true};
    setup.game.player[WHITE] = term_player_human();
    setup.game.player[BLACK] = term_player_castellan();
    setup.game.folder =
        os_data_path(folder, sizeof folder, "castellan/games", NULL) == STATUS_OK ? folder : NULL;
    setup.game.players =
        os_data_path(players, sizeof players, "castellan/players", NULL) == STATUS_OK ? players
                                                                                      : NULL;
    return front_play(setup, why);
}

/* -- Protocols -- */

Status front_run(const Protocol *protocol, Message *why)
{
    if (!protocol && isatty(STDIN_FILENO))
        return play_console(why);
    memory_return_early(); /* GUIs keep an engine for days, with ever new sizes of its tables */
    FrontEnds ends;
    Status s = front_open(&ends, why);
    if (s != STATUS_OK)
        return s;
    Port port = {&ends.out, &ends.in};
    s = protocol ? protocol_run(protocol, port, (Span){"", 0}, why)
                 : protocol_detect_and_run(port, why);
    return front_close(&ends, s, why);
}

Status front_run_lines(char **lines, int count, Message *why)
{
    Output out;
    output_open(&out, STDOUT_FILENO);
    Status s = uci_run_lines(&out, lines, count, why);
    return close_output(&out, s, why);
}
