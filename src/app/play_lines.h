/* The line mode on standard input and output. */
#ifndef APP_PLAY_LINES_H
#define APP_PLAY_LINES_H

#include "term/line.h"

/* Returns an exit code. Whether lines run ahead is found out here. */
int play_lines(LineSetup setup);

/* Castellan's console: a person against the engine, with the board drawn. */
int play_console(void);

#endif
