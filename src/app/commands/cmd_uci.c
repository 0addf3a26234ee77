#include "app/command.h"
#include "app/front.h"

static const ArgTable table = {0};

static int run(int argc, char **argv)
{
    Message why;
    if (args_parse(&table, NULL, argc, argv, NULL, &why) != STATUS_OK)
        return command_misused("uci", &why);
    return front_run(&protocol_uci);
}

const Command command_uci = {
    .name = "uci",
    .summary = "speak UCI, the protocol of most chess programs",
    .about =
        "Speaks the Universal Chess Interface on standard input and output. Additional commands: d\n"
        "(print the board), eval, bench [DEPTH], go perft N, and genfens N seed S book None|FILE.\n",
    .args = &table,
    .run = run,
};
