#include "search/history.h"

#include <string.h>

void history_clear(Histories *h)
{
    memset(h, 0, sizeof *h);
}
