/* Values of options that several commands take; for rows of kind ARG_PARSED. */
#ifndef APP_ARG_VALUES_H
#define APP_ARG_VALUES_H

#include <stdbool.h>

#define ARG_CLOCK_ACCEPTS "[MOVES/]SECONDS[+INCREMENT], such as 2+0.02 or 40/60+1"

bool arg_clock(const char *value, void *limits); /* into a PlayerLimits */

#endif
