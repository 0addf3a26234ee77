#include "app/classic_console.h"

#include "app/command.h"
#include "classics/console.h"
#include "proto/protocol.h"

#include <string.h>
#include <unistd.h>

typedef struct Ends {
    Input in;
    Output out;
} Ends;

static int finish(Ends *ends, Status s, Message *why)
{
    if (s == STATUS_OK)
        s = output_status(&ends->out, why);
    output_close(&ends->out);
    input_close(&ends->in);
    return s == STATUS_OK ? COMMAND_DONE : command_failed("play", why);
}

static void show(Ends *ends, Text *text)
{
    output_text(&ends->out, text);
    text_clear(text);
}

/* The program moves whenever it is to; otherwise a line is read. */
static void converse(Console *c, Ends *ends)
{
    Text text;
    Span line;
    text_init(&text);
    console_begin(c, &text);
    show(ends, &text);
    while (!console_is_over(c)) {
        if (console_is_busy(c)) {
            console_step(c, &text);
        } else {
            InputEvent event = input_next(&ends->in, &line);
            if (event == INPUT_END)
                break;
            if (event == INPUT_LINE)
                console_feed(c, line, &text);
        }
        show(ends, &text);
    }
    text_free(&text);
}

/* Chess Mantis had no console of its own: it spoke the protocol of xboard. */
static Status speak_xboard(Ends *ends, const char *program, Message *why)
{
    Text first;
    text_init(&first);
    text_addf(&first, "option Opponent=%s", program);
    Status s = first.failed ? status_fail(why, STATUS_MEMORY, "not enough memory")
                            : protocol_run(&protocol_cecp, (Port){&ends->out, &ends->in},
                                           (Span){first.at, first.len}, why);
    text_free(&first);
    return s;
}

int classic_console_run(const char *program, const Position *start, Color side, uint64_t seed)
{
    Ends ends;
    Message why;
    Console *c = NULL;
    const atomic_bool never = false;
    const char *comma = strchr(program, ',');
    Span name = {program, comma ? (size_t)(comma - program) : strlen(program)};
    ConsoleSetup setup = {.settings = span_of(comma ? comma + 1 : ""),
                          .seed = seed,
                          .start = start,
                          .program = side,
                          .stop = &never};
    bool mantis = span_is_ignoring_case(name, "mantis");
    if (!mantis && console_open(&c, name, &setup, &why) != STATUS_OK)
        return command_misused("play", &why);
    if (input_open(&ends.in, STDIN_FILENO, &why) != STATUS_OK) {
        console_close(c);
        return command_failed("standard input", &why);
    }
    output_open(&ends.out, STDOUT_FILENO);
    Status s = STATUS_OK;
    if (mantis)
        s = speak_xboard(&ends, program, &why);
    else
        converse(c, &ends);
    console_close(c);
    return finish(&ends, s, &why);
}
