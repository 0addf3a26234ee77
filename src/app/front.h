/* Conversations over standard input and output. */
#ifndef APP_FRONT_H
#define APP_FRONT_H

#include "proto/protocol.h"

/* Runs that protocol; NULL: the console on a terminal, and on a pipe the one that is spoken first.
 * Returns an exit code. */
int front_run(const Protocol *protocol);

/* Command-line arguments that are UCI lines: runs them and ends. */
int front_run_lines(char **lines, int count);

#endif
