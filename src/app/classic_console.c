#include "app/classic_console.h"

#include "app/front.h"

#include <string.h>

static void show(FrontEnds *ends, Text *text)
{
    output_text(&ends->out, text);
    text_clear(text);
}

/* The program moves whenever it is to; otherwise a line is read. */
static void converse(Console *c, FrontEnds *ends)
{
    Text text = text_new();
    Span line;
    console_begin(c, &text);
    show(ends, &text);
    while (!c->over) {
        if (c->busy) {
            c->ops->step(c, &text);
        } else {
            InputEvent event = input_next(&ends->in, &line);
            if (event == INPUT_END)
                break;
            if (event == INPUT_LINE)
                c->ops->feed(c, span_trim(line), &text);
        }
        show(ends, &text);
    }
    text_free(&text);
}

/* Chess Mantis had no console of its own: it spoke the protocol of xboard. */
static Status speak_xboard(FrontEnds *ends, const char *program, Message *why)
{
    Text first = text_new();
    text_addf(&first, "option Opponent=%s", program);
    Status s = first.failed ? status_fail(why, STATUS_MEMORY, "not enough memory")
                            : protocol_run(&protocol_cecp, (Port){&ends->out, &ends->in},
                                           (Span){first.at, first.len}, why);
    text_free(&first);
    return s;
}

Status classic_console_open(ClassicConsole *c, const char *program, const Position *start,
                            Color side, uint64_t seed, Message *why)
{
    static const atomic_bool never = false;
    const char *comma = strchr(program, ',');
    Span name = {program, comma ? (size_t)(comma - program) : strlen(program)};
    ConsoleSetup setup = {.settings = span_of(comma ? comma + 1 : ""),
                          .seed = seed,
                          .start = start,
                          .program = side,
                          .stop = &never};
    *c = (ClassicConsole){.program = program};
    return span_is_ignoring_case(name, "mantis") ? STATUS_OK
                                                 : console_open(&c->console, name, &setup, why);
}

Status classic_console_run(const ClassicConsole *c, Message *why)
{
    FrontEnds ends;
    Status s = front_open(&ends, why);
    if (s != STATUS_OK)
        return s;
    if (c->console)
        converse(c->console, &ends);
    else
        s = speak_xboard(&ends, c->program, why);
    return front_close(&ends, s, why);
}
