/* The Universal Chess Interface. Sessions are made through protocol_uci (proto/protocol.h). */
#ifndef PROTO_UCI_H
#define PROTO_UCI_H

#include "proto/protocol.h"

bool uci_knows(Span word); /* a command of this protocol */

/* Runs lines that came on the command line, each to its end, as tools do that want one answer. */
Status uci_run_lines(Output *out, char *const *lines, int count, Message *why);

#endif
