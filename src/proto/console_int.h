/* What the files of the console share. */
#ifndef PROTO_CONSOLE_INT_H
#define PROTO_CONSOLE_INT_H

#include "engine/engine.h"

/* Writes the session's game as PGN. A path of length 0 stands for a fresh name in the present folder;
 * the name used is left in `named`. */
enum { CONSOLE_NAME_SIZE = 1024 };
Status console_save(const Engine *e, Color human, Span path, char named[CONSOLE_NAME_SIZE],
                    Message *why);

#endif
