/* What the files of a directory were made with, in a line of text beside them. Work resumed with
 * different options would mix what must not be mixed. */
#ifndef TRAIN_PROVENANCE_H
#define TRAIN_PROVENANCE_H

#include "base/status.h"
#include "base/text.h"

#define PROVENANCE_PACKED "packed.txt" /* the lines of everything that was packed together */

/* Writes DIR/NAME when there is none. STATUS_REFUSED when it says something else than `text`, a
 * line. */
Status provenance_check(const char *dir, const char *name, const char *text, Message *why);

/* The different lines that stand beside the data files of these files and directories, each
 * once. */
void provenance_list(char *const *inputs, int count, Text *out);

#endif
