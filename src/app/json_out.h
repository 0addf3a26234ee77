/* What commands print with --json, which needs jansson: without it they do not have the option. */
#ifndef APP_JSON_OUT_H
#define APP_JSON_OUT_H

#ifdef HAVE_WEB
#include "notation/json_value.h"

#include <stdio.h>

/* On a line of its own, in ASCII; takes the reference. */
static inline void json_out(json_t *value)
{
    json_dumpf(value, stdout, JSON_ENSURE_ASCII);
    putchar('\n');
    json_decref(value);
}
#endif

#endif
