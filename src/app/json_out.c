#include "app/json_out.h"

#include <stdio.h>

void json_out(json_t *value)
{
    json_dumpf(value, stdout, JSON_ENSURE_ASCII);
    putchar('\n');
    json_decref(value);
}
