#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

/* A shell starts background jobs with SIGINT ignored; a blocked signal would become pending all the
 * same. */
static void add_unless_ignored(sigset_t *set, int signal)
{
    struct sigaction now;
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaddset(set, signal);
}

static sigset_t both_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void interrupt_hold(void)
{
    sigset_t set;
    sigemptyset(&set);
    add_unless_ignored(&set, SIGINT);
    add_unless_ignored(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void interrupt_release(void)
{
    sigset_t set = both_signals();
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void interrupt_accept(void)
{
    sigset_t set = both_signals();
    const struct timespec now = {0, 0};
    while (sigtimedwait(&set, NULL, &now) > 0) {
    }
    interrupt_release();
}

bool interrupt_came(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigpending(&set);
    return sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1;
}
