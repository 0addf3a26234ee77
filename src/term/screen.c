#include "term/screen.h"
Status screen_run(const ScreenSetup *setup, Text *farewell, Message *why)
{
    (void)setup;
    (void)farewell;
    return status_fail(why, STATUS_REFUSED, "this program was built without ncurses");
}
