/* The board in the browser: the service behind the server, until it is told to stop. */
#ifndef APP_WEB_RUN_H
#define APP_WEB_RUN_H

#include "server/server.h"
#include "service/service.h"

typedef struct WebOptions {
    ServerOptions server;
    ServiceOptions service;
    void *user;
    /* Warnings, and which tables were loaded and refused; NULL: nobody reads them. */
    void (*note)(void *user, const char *text);
    void (*ready)(void *user, const char *url); /* it listens */
    bool (*stop)(void *user);                   /* asked several times a second */
} WebOptions;

/* STATUS_REFUSED: the port or the folder is in use, or the address needs a password. STATUS_IO: the
 * disk failed, before or while it served. */
Status web_run(const WebOptions *options, Message *why);

#endif
