#include "app/interrupt.h"

#include <signal.h>
#include <stddef.h>

void interrupt_hold(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

bool interrupt_came(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigpending(&set);
    return sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1;
}
