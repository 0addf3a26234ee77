#include "app/arg_values.h"

#include "match/player.h"

bool arg_clock(const char *value, void *limits)
{
    return player_read_clock(limits, span_of(value), NULL) == STATUS_OK;
}
