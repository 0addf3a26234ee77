/* What the tools that write new data files from old ones share. */
#ifndef TRAIN_DATA_TOOLS_INT_H
#define TRAIN_DATA_TOOLS_INT_H

#include "train/data/data_tools.h"

#include <limits.h>

/* -- data_part.c: a file on the way -- */
typedef struct Part {
    DataWriter *writer;
    char path[PATH_MAX];      /* its name when done */
    char temp[PATH_MAX + 16]; /* and until then: nobody else's */
} Part;

/* Opens a file for the path that is set. STATUS_REFUSED when there is one already. */
Status part_open(Part *p, Message *why);

/* Gives the file its name, or removes it when something went wrong: `status` or what follows. */
Status part_close(Part *p, Status status, Message *why);

/* -- data_each.c: every game of the inputs, in order -- */
Status data_read_all(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                     DataEach *each, void *user, Message *why);

#endif
