#include "app/front.h"

#include "app/command.h"
#include "app/play_lines.h"
#include "proto/uci.h"

#include <unistd.h>

static Status converse(const Protocol *protocol, Port port, Message *why)
{
    if (protocol)
        return protocol_run(protocol, port, (Span){"", 0}, why);
    return protocol_detect_and_run(port, why);
}

/* The exit code, after the conversation has ended. */
static int conclude(Output *out, Status s, Message *why)
{
    Message unwritten;
    Status written = output_status(out, &unwritten);
    output_close(out);
    if (s != STATUS_OK)
        return command_failed("engine", why);
    return written == STATUS_OK ? COMMAND_DONE : command_failed("standard output", &unwritten);
}

int front_run(const Protocol *protocol)
{
    if (!protocol && isatty(STDIN_FILENO))
        return play_console();
    Input in;
    Output out;
    Message why;
    if (input_open(&in, STDIN_FILENO, &why) != STATUS_OK)
        return command_failed("standard input", &why);
    output_open(&out, STDOUT_FILENO);
    Status s = converse(protocol, (Port){&out, &in}, &why);
    input_close(&in);
    return conclude(&out, s, &why);
}

int front_run_lines(char **lines, int count)
{
    Output out;
    Message why;
    output_open(&out, STDOUT_FILENO);
    Status s = uci_run_lines(&out, lines, count, &why);
    return conclude(&out, s, &why);
}
