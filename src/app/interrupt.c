#include "app/interrupt.h"

#include <signal.h>
#include <stddef.h>

/* A shell starts background jobs with SIGINT ignored: blocked, it would be heard after all. */
static void add_unless_ignored(sigset_t *set, int signal)
{
    struct sigaction now;
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaddset(set, signal);
}

void interrupt_hold(void)
{
    sigset_t set;
    sigemptyset(&set);
    add_unless_ignored(&set, SIGINT);
    add_unless_ignored(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

void interrupt_release(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

bool interrupt_came(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigpending(&set);
    return sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1;
}
