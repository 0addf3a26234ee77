/* castellan uci and castellan xboard: the protocols of graphical interfaces. */
#include "app/command.h"
#include "app/front.h"

static Status run_uci(void *options, const ArgWords *words, Message *why)
{
    (void)options, (void)words;
    return front_run(&protocol_uci, why);
}

const Command command_uci = {
    .name = "uci",
    .summary = "speak UCI, the protocol of most chess programs",
    .about =
        "Speaks the Universal Chess Interface on standard input and output. Additional commands: d\n"
        "(print the board), eval, bench [DEPTH], go perft N, and genfens N seed S book None|FILE.\n",
    .run = run_uci,
};

static Status run_xboard(void *options, const ArgWords *words, Message *why)
{
    (void)options, (void)words;
    return front_run(&protocol_cecp, why);
}

const Command command_xboard = {
    .name = "xboard",
    .summary = "speak CECP, the protocol of xboard and WinBoard",
    .about =
        "Speaks the Chess Engine Communication Protocol, version 2, on standard input and output.\n",
    .run = run_xboard,
};
