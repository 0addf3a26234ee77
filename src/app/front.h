/* Conversations over standard input and output. */
#ifndef APP_FRONT_H
#define APP_FRONT_H

#include "proto/protocol.h"
#include "term/line.h"

typedef struct FrontEnds {
    Input in;
    Output out;
} FrontEnds;

Status front_open(FrontEnds *ends, Message *why);

/* Returns `s`, or when that is STATUS_OK, whether everything could be written. */
Status front_close(FrontEnds *ends, Status s, Message *why);

/* Runs that protocol; NULL: the console on a terminal, and on a pipe the one that is spoken
 * first. */
Status front_run(const Protocol *protocol, Message *why);

/* The line mode of a game. Whether lines run ahead is found out here. */
Status front_play(LineSetup setup, Message *why);

/* Command-line arguments that are UCI lines: runs them and ends. */
Status front_run_lines(char **lines, int count, Message *why);

#endif
