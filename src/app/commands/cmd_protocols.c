/* castellan uci and castellan xboard: the protocols of graphical interfaces. */
#include "app/command.h"
#include "app/front.h"

typedef struct ProtocolCommand {
    const Protocol *protocol;
} ProtocolCommand;

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    return front_run(((ProtocolCommand *)options)->protocol, why);
}

const Command command_uci = {
    .name = "uci",
    .summary = "speak UCI, the protocol of most chess programs",
    .about =
        "Speaks the Universal Chess Interface on standard input and output. Additional commands: d\n"
        "(print the board), eval, bench [DEPTH], go perft N, and genfens N seed S book None|FILE.\n",
    .args =
        ARG_TABLE(ProtocolCommand, NULL, NULL, .initial = &(const ProtocolCommand){&protocol_uci}),
    .run = run,
};

const Command command_xboard = {
    .name = "xboard",
    .summary = "speak CECP, the protocol of xboard and WinBoard",
    .about =
        "Speaks the Chess Engine Communication Protocol, version 2, on standard input and output.\n",
    .args =
        ARG_TABLE(ProtocolCommand, NULL, NULL, .initial = &(const ProtocolCommand){&protocol_cecp}),
    .run = run,
};
