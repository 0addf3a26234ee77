/* Ctrl-C during long work that wants to end in order: the signals are held back, and the work asks
 * between two steps whether one has come. Needs no handler and no global. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

void interrupt_hold(void); /* from now on SIGINT and SIGTERM wait; what is ignored stays ignored */
bool interrupt_came(void); /* one of them is waiting */
void interrupt_release(void); /* they are heard again at once */

#endif
