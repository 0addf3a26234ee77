/* Nothing is told before it is on the disk: messages wait here until the changes of the store that
 * came before them are. A sync takes milliseconds, on a busy disk many, so it happens on a thread
 * of its own, without Service.lock, for all that was stored until it begins. */
#ifndef SERVICE_SYNC_INT_H
#define SERVICE_SYNC_INT_H

#include "service/client_int.h"

typedef struct Sync Sync;

Status sync_open(Sync **s, const Service *service, Message *why);
void sync_close(Sync *s); /* NULL is fine; nothing waits any more */

/* Sends a copy of the text to the client when all changes of the store are on the disk. */
void sync_send(const Client *c, const char *text, size_t len);
void sync_forget(Sync *s, const Client *c); /* nothing is sent to it afterwards */

bool sync_failed(Sync *s, Message *why); /* then nothing is sent any more */

#endif
