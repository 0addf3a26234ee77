/* What Kanji's program prints while it plays: every move as its library's number with the FEN
 * behind it, the value of the program's move, and the count of nodes. The document's person moves
 * with the mouse; here moves are typed, "e1f1". */
#ifndef CLASSICS_KANJI_CONSOLE_H
#define CLASSICS_KANJI_CONSOLE_H

#include "classics/console.h"

extern const ConsoleOps kanji_console;

#endif
