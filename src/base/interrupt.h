/* SIGINT and SIGTERM during work that ends in order: the signals are blocked, and the work asks
 * between two steps whether one is pending. Needs no handler and no global. Long work is better run
 * by base/job.h. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>

void interrupt_hold(
    void); /* blocks both signals, for threads started later too; ignored ones stay ignored */
bool interrupt_came(void);    /* one of them is pending */
void interrupt_release(void); /* unblocks them: they end the process */

/* Removes what is pending and unblocks: the next signal ends the process. */
void interrupt_accept(void);

#endif
