#include "app/args.h"
#include "app/command.h"
#include "app/front.h"

static int run(int argc, char **argv)
{
    Message why;
    if (args_parse_no_words((ArgRow[]){{0}}, argc, argv, &why) != STATUS_OK)
        return command_misused("uci", &why);
    return front_run(&protocol_uci);
}

const Command command_uci = {
    .name = "uci",
    .summary = "speak UCI, the protocol of most chess programs",
    .help = "usage: castellan uci\n"
            "\n"
            "Speaks the Universal Chess Interface on standard input and output. Besides the\n"
            "protocol it knows: d (show the board), eval, bench [DEPTH], go perft N, and\n"
            "genfens N seed S book None|FILE.\n",
    .run = run,
};
