/* castellan play --console: the classic programs as they were used, on standard
 * input and output. */
#ifndef APP_CLASSIC_CONSOLE_H
#define APP_CLASSIC_CONSOLE_H

#include "classics/console.h"

typedef struct ClassicConsole {
    const char *program; /* with its settings, separated by commas */
    Console *console;    /* NULL: the program speaks the protocol of xboard; to be closed */
} ClassicConsole;

/* `start` NULL: the program's own. */
Status classic_console_open(ClassicConsole *c, const char *program, const Position *start,
                            Color side, uint64_t seed, Message *why);
Status classic_console_run(const ClassicConsole *c, Message *why);

#endif
