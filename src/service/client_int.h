/* A client: who asks, what it is subscribed to, and the way back to it. */
#ifndef SERVICE_CLIENT_INT_H
#define SERVICE_CLIENT_INT_H

#include "service/service_int.h"

#include <jansson.h>

enum { CLIENT_MAX_WATCHED = 16 }; /* games one client is subscribed to */

typedef struct ServiceClient Client;

/* All under Service.lock. */
struct ServiceClient {
    Client *next;
    Service *service;
    int64_t serial;
    ServiceSend *send;
    void *connection;
    int64_t player;
    double allowance; /* messages it may still send now */
    int64_t allowance_at;
    int64_t watched[CLIENT_MAX_WATCHED];
    int watched_count;
    int long_requests; /* that are worked on */
    struct Analysis *analysis;
};

Client *client_find(Service *service, int64_t serial); /* NULL: gone */

/* True, and counted, when it may send another message now. */
bool client_may_ask(Client *c);

/* Subscriptions. */
bool client_watches(const Client *c, int64_t game);
void client_watch(Client *c, int64_t game); /* the oldest goes when there are too many */
void client_unwatch(Client *c, int64_t game);
bool client_any_watches(const Service *service, int64_t game);

/* An answer, a refusal, and an event; the JSON is taken. What was changed until now is on the disk
 * before they are sent. */
void client_answer(Client *c, int64_t id, json_t *data);
void client_refuse(Client *c, int64_t id, const char *code, const char *message);
void client_event(Client *c, const char *event, json_t *data);

/* An event to all who watch the game (all clients, when it is 0). */
void client_event_all(Service *service, const char *event, int64_t game, json_t *data);

#endif
