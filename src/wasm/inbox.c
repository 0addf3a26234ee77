#include "wasm/inbox.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

void inbox_init(Inbox *in)
{
    *in = (Inbox){.first = NULL};
    mutex_init(&in->lock);
    condition_init(&in->changed);
}

bool inbox_put(Inbox *in, int kind, const char *text, size_t len)
{
    Letter *letter = malloc(sizeof *letter + len + 1);
    if (!letter)
        return false;
    *letter = (Letter){.arrived_ms = clock_now_ms(), .kind = kind, .len = len};
    memcpy(letter->text, text, len);
    letter->text[len] = '\0';
    mutex_lock(&in->lock);
    if (in->last)
        in->last->next = letter;
    else
        in->first = letter;
    in->last = letter;
    condition_signal_all(&in->changed);
    mutex_unlock(&in->lock);
    return true;
}

Letter *inbox_take(Inbox *in)
{
    mutex_lock(&in->lock);
    while (!in->first)
        condition_wait(&in->changed, &in->lock);
    Letter *letter = in->first;
    in->first = letter->next;
    if (!in->first)
        in->last = NULL;
    mutex_unlock(&in->lock);
    return letter;
}
