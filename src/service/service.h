/* The board in the browser: an HTTP and WebSocket server with the games in it. What page and server
 * say to each other is docs/dev/service.md. */
#ifndef SERVICE_SERVICE_H
#define SERVICE_SERVICE_H

#include "base/status.h"

#include <stdbool.h>

enum { WEB_DEFAULT_PORT = 8960, WEB_URL_SIZE = 96 };

typedef struct WebOptions {
    const char *host;     /* an address to listen on; anything but loopback needs a password */
    int port;             /* 0: any that is free */
    const char *password; /* NULL: none */
    const char *data;     /* the folder of castellan.db; made when it is not there */
    const char *tables;   /* Syzygy tables, NULL: none */
    int silence_ms;       /* a connection from which nothing comes for so long ends; 0: 45 s */
    void *user;
    void (*ready)(void *user, const char *url); /* it listens */
    bool (*stop)(void *user);                   /* asked several times a second */
} WebOptions;

/* Serves until `stop` says so, then ends in order. STATUS_REFUSED: the port or the folder is in use,
 * or the host needs a password. STATUS_IO: the disk failed, before or while it served. */
Status web_run(const WebOptions *options, Message *why);

#endif
