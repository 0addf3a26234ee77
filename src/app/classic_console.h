/* castellan play --console: the classic programs as they were used, on standard
 * input and output. */
#ifndef APP_CLASSIC_CONSOLE_H
#define APP_CLASSIC_CONSOLE_H

#include "chess/position.h"

/* `program` is a name with settings separated by commas; `start` NULL: the program's own. Returns
 * an exit code. */
int classic_console_run(const char *program, const Position *start, Color side, uint64_t seed);

#endif
