/* The line mode on standard input and output. */
#ifndef APP_PLAY_LINES_H
#define APP_PLAY_LINES_H

#include "term/line.h"

/* Whether lines run ahead is found out here. */
Status play_lines(LineSetup setup, Message *why);

/* Castellan's console: a person against the engine, with the board drawn. */
Status play_console(Message *why);

#endif
