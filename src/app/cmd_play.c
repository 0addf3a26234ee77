#include "app/args.h"
#include "app/command.h"
#include "app/front.h"

static int run(int argc, char **argv)
{
    Message why;
    if (args_parse_no_words((ArgRow[]){{0}}, argc, argv, &why) != STATUS_OK)
        return command_misused("play", &why);
    return front_run(&protocol_console);
}

const Command command_play = {
    .name = "play",
    .summary = "play a game in the terminal",
    .help = "usage: castellan play\n"
            "\n"
            "A game in the terminal: type moves (e4, Nf3, O-O, g1f3) or \"help\".\n",
    .run = run,
};
