#include "app/command.h"

#include <stdio.h>

int command_failed(const char *what, const Message *why)
{
    fprintf(stderr, "castellan: %s: %s\n", what, why->text);
    return COMMAND_FAILED;
}

int command_misused(const char *what, const Message *why)
{
    fprintf(stderr, "castellan: %s: %s (see castellan help %s)\n", what, why->text, what);
    return COMMAND_MISUSED;
}
