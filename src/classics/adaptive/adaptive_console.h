/* The console of the adaptive program: moves as "N b1-c3", "0-0", "resign", "draw"; the board from
 * White's first rank down, every move with its value, what the evaluation counts, CHECK messages
 * and the number of plys (a move of each side). */
#ifndef CLASSICS_ADAPTIVE_CONSOLE_H
#define CLASSICS_ADAPTIVE_CONSOLE_H

#include "classics/console.h"

extern const ConsoleOps adaptive_console;

#endif
