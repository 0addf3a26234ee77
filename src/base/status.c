#include "base/status.h"

#include <stdio.h>

static void message_clean(Message *why)
{
    for (char *c = why->text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
}

Status status_fail(Message *why, Status code, const char *format, ...)
{
    if (why) {
        va_list args;
        va_start(args, format);
        vsnprintf(why->text, sizeof why->text, format, args);
        va_end(args);
        message_clean(why);
    }
    return code;
}

void message_prefix(Message *why, const char *format, ...)
{
    if (!why)
        return;
    Message whole;
    va_list args;
    va_start(args, format);
    int used = vsnprintf(whole.text, sizeof whole.text, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof whole.text)
        snprintf(whole.text + used, sizeof whole.text - (size_t)used, "%s", why->text);
    message_clean(&whole);
    *why = whole;
}
