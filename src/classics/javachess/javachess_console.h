/* The console of JavaChess: squares by number ("52 36"), RESIG, a question for promotions, the
 * board in frames, and the statistics of every iteration. */
#ifndef CLASSICS_JAVACHESS_CONSOLE_H
#define CLASSICS_JAVACHESS_CONSOLE_H

#include "classics/console.h"

extern const ConsoleOps javachess_console;

#endif
