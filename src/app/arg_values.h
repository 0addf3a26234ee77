/* Values that several commands take. */
#ifndef APP_ARG_VALUES_H
#define APP_ARG_VALUES_H

#include "app/args.h"
#include "chess/position.h"

/* For rows of kind ARG_PARSED: a time control, into a PlayerLimits. */
#define ARG_CLOCK_ACCEPTS "[MOVES/]SECONDS[+INCREMENT], such as 2+0.02 or 40/60+1"
bool arg_clock(const char *value, void *limits);

/* The FEN of the words from `first` on; without any, the start position. */
Status arg_position(const ArgWords *words, int first, bool chess960, Position *p, Message *why);

#endif
