/* The console calls a handler on a thread of its own; what it knows must be static. Ctrl-C,
 * Ctrl-Break and a closing console are the same here. */
#include "base/interrupt.h"

#include <stdatomic.h>
#include <windows.h>

static atomic_bool held, came;

static BOOL WINAPI on_control(DWORD kind UNUSED)
{
    if (!atomic_load(&held))
        return FALSE; /* the next handler ends the process */
    atomic_store(&came, true);
    return TRUE;
}

void interrupt_hold(void)
{
    atomic_store(&held, true);
    SetConsoleCtrlHandler(on_control, TRUE);
}

bool interrupt_came(void)
{
    return atomic_load(&came);
}

void interrupt_release(void)
{
    if (!atomic_exchange(&held, false))
        return;
    SetConsoleCtrlHandler(on_control, FALSE);
    if (atomic_load(&came))
        ExitProcess((UINT)STATUS_CONTROL_C_EXIT);
}

void interrupt_accept(void)
{
    atomic_store(&came, false);
    interrupt_release();
}
