#include "app/command.h"
#include "app/front.h"

static const ArgTable table = {0};

static int run(int argc, char **argv)
{
    Message why;
    if (args_parse(&table, NULL, argc, argv, NULL, &why) != STATUS_OK)
        return command_misused("xboard", &why);
    return front_run(&protocol_cecp);
}

const Command command_xboard = {
    .name = "xboard",
    .summary = "speak CECP, the protocol of xboard and WinBoard",
    .about =
        "Speaks the Chess Engine Communication Protocol, version 2, on standard input and output.\n",
    .args = &table,
    .run = run,
};
