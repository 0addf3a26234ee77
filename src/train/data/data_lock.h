/* One writer a file. */
#ifndef TRAIN_DATA_LOCK_H
#define TRAIN_DATA_LOCK_H

#include "base/status.h"

/* Locks an open file for writing until it is closed. STATUS_REFUSED, naming the process that holds
 * the lock where the system tells, when another writer has it. */
Status data_lock(int fd, const char *path, Message *why);

#endif
