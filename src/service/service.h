/* What the page can ask: games, players, reviews, training, analysis. Messages come in as JSON and
 * answers and events go out as JSON (docs/dev/service.md); by which connection is the caller's
 * business. */
#ifndef SERVICE_SERVICE_H
#define SERVICE_SERVICE_H

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

enum { SERVICE_MAX_MESSAGE = 256 << 10 };

typedef struct Service Service;
typedef struct ServiceClient ServiceClient;

typedef struct ServiceOptions {
    const char *data;   /* the folder of castellan.db; created when it does not exist */
    const char *tables; /* Syzygy tables, NULL: none */
    int idle_ms;        /* until unwatched boards and the memory of idle threads go; 0: a minute */
} ServiceOptions;

/* STATUS_REFUSED: another program uses the folder. The options must outlive the service. A message
 * that is not empty with STATUS_OK is a warning: the games can be read, but nothing
 * can be stored. */
Status service_open(Service **s, const ServiceOptions *options, Message *why);

/* Which tables were found, and which were refused and why; "" without tables. */
const char *service_tables(const Service *s);

/* Plays moves and ends clocks that are due, then waits until the next one is, or a tenth of a
 * second. STATUS_IO: the disk failed, and nothing is answered any more. */
Status service_run_once(Service *s, Message *why);

/* Ends all work; every request that is being worked on gets its reply. Clients may still come and
 * go. */
void service_stop(Service *s);
void service_close(Service *s); /* after service_stop, without clients; NULL is fine */

/* A client. `send` is called from any thread, one call at a time for each client, and never after
 * service_disconnect has returned. NULL: no memory. */
typedef void ServiceSend(void *connection, const char *text, size_t len);
ServiceClient *service_connect(Service *s, ServiceSend *send, void *connection);
void service_disconnect(ServiceClient *c);

/* One message; 0, or the WebSocket code to close the connection with. */
int service_message(ServiceClient *c, Span text);

/* PGN in and out, worked on beside everything else. The reply comes once, from any thread, with an
 * HTTP status; it takes the body. */
typedef void ServiceReply(void *user, int status, const char *type, const char *file, Text *body);

typedef struct ServiceExport {
    int64_t game, player;                  /* one of them; 0: not given */
    char search[256], color[8], result[8]; /* filters of a player's games; empty: any */
} ServiceExport;

void service_export(Service *s, const ServiceExport *what, ServiceReply *reply, void *user);
void service_import(Service *s, int64_t player, bool skip_known, Span pgn, ServiceReply *reply,
                    void *user); /* `pgn` must stay until the reply */

#endif
