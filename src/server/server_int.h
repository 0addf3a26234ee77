/* What the files of the server share. Server.lock guards the send queues, the answers and the lists
 * of connections and requests; everything else belongs to the loop's thread. */
#ifndef SERVER_SERVER_INT_H
#define SERVER_SERVER_INT_H

#include "base/thread.h"
#include "server/assets_int.h"
#include "server/server.h"
#include "server/sessions_int.h"

#include <libwebsockets.h>
#include <stdatomic.h>

enum { SERVER_HOST_SIZE = 256 };

typedef struct Listener Listener;

struct Server {
    const ServerOptions *options;
    ServerHandler handler;
    struct lws_context *context;
    struct lws_vhost *vhost;
    Listener *listener;
    lws_retry_bo_t keepalive;
    int port; /* known before the loop begins */
    bool tls;
    Assets assets;
    Sessions *sessions;
    Thread loop;
    atomic_bool quit;
    Mutex lock;
    ServerConnection *connections;
    int connection_count;
    ServerRequest *requests;
    size_t body_bytes; /* of all requests; the loop's thread */
};

/* What libwebsockets keeps for each connection. */
typedef struct ServerPeer {
    ServerRequest *request;
    ServerConnection *connection;
} ServerPeer;

/* Lets connections in (listener.c): opened before the context, started with the vhost, closed after
 * both. Connections get descriptors below `files`; at most three quarters may be silent, then the
 * oldest of them end. */
Status listener_open(Server *s, int files, Message *why);
Status listener_start(const Listener *l, Message *why);
void listener_event(Listener *l);
void listener_close(Listener *l); /* NULL is fine */

/* Callbacks of libwebsockets; 0, or -1 to close the connection (http.c, websocket.c). What is not
 * about WebSockets, websocket_event passes on. */
int http_event(Server *s, struct lws *wsi, enum lws_callback_reasons reason, ServerPeer *peer,
               void *in, size_t len);
int websocket_event(Server *s, struct lws *wsi, enum lws_callback_reasons reason, ServerPeer *peer,
                    void *in, size_t len);

/* Both after another thread has left something to write. */
void http_wake(Server *s);
void websocket_wake(Server *s);

/* The connections of a session that has ended are closed. */
void websocket_end_session(Server *s, const char *token);

/* Sends a refusal at once: 1, or -1 when that failed. */
int http_refuse(const Server *s, struct lws *wsi, int status, const char *text);

/* Who may come in (admission.c): the refusal's words, or NULL. */
const char *admission_refusal(const Server *s, struct lws *wsi, bool origin_needed);
bool admission_token(const Server *s, struct lws *wsi, char token[SESSION_TOKEN_SIZE]);
SessionPeer admission_peer(struct lws *wsi);

#endif
