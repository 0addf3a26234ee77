#include "app/args.h"
#include "app/command.h"
#include "app/front.h"

static int run(int argc, char **argv)
{
    Message why;
    if (args_parse_no_words((ArgRow[]){{0}}, argc, argv, &why) != STATUS_OK)
        return command_misused("xboard", &why);
    return front_run(&protocol_cecp);
}

const Command command_xboard = {
    .name = "xboard",
    .summary = "speak CECP, the protocol of xboard and WinBoard",
    .help = "usage: castellan xboard\n"
            "\n"
            "Speaks the Chess Engine Communication Protocol, version 2, on standard input and\n"
            "output.\n",
    .run = run,
};
