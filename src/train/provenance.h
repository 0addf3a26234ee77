/* What the files of a folder were made with, in a line of text beside them. Work that goes on with other words
 * than it was begun with would mix what must not be mixed. */
#ifndef TRAIN_PROVENANCE_H
#define TRAIN_PROVENANCE_H

#include "base/status.h"

/* Writes DIR/NAME when there is none. STATUS_REFUSED when it says something else than `text`, a line. */
Status label_check(const char *dir, const char *name, const char *text, Message *why);

#endif
