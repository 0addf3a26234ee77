#include "app/front.h"

#include "app/play_lines.h"
#include "base/memory.h"
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
