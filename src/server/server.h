/* HTTP and WebSocket on libwebsockets: the page's files, sessions, and connections for a handler
 * that knows what the messages mean. One thread runs the event loop and calls the handler; answers
 * may come from any thread. Timeouts, pings and the limits of frames are the library's. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "base/status.h"
#include "base/text.h"

enum {
    SERVER_URL_SIZE = 96,
    SERVER_MAX_MESSAGE = 256 << 10, /* of a WebSocket */
    SERVER_MAX_CONNECTIONS = 64,    /* WebSockets */
    SERVER_MIN_PASSWORD = 8         /* characters, for addresses that others can reach */
};

typedef struct Server Server;
typedef struct ServerConnection ServerConnection; /* a WebSocket */
typedef struct ServerRequest ServerRequest;       /* an HTTP request with a session */

/* Called on the server's thread. */
typedef struct ServerHandler {
    void *user;
    void *(*open)(void *user, ServerConnection *c);      /* NULL: no memory; the connection ends */
    int (*message)(void *user, void *client, Span text); /* 0, or the code to close with */
    void (*close)(void *user, void *client); /* nothing is sent to the connection afterwards */
    /* A request under /api/ that is not about sessions; server_answer must be called once. */
    void (*request)(void *user, ServerRequest *r);
} ServerHandler;

typedef struct ServerOptions {
    const char *host; /* an address; anything but loopback needs a password */
    int port;         /* 0: any that is free */
    const char *password;
    const char *tls_cert, *tls_key; /* PEM files; both or neither */
    int silence_s; /* a WebSocket that does not answer ping for so long ends; 0: 45 */
} ServerOptions;

/* Says what is wrong with the options before anything is opened. */
Status server_check(const ServerOptions *options, Message *why);

/* Listens and serves. The options must outlive the server. */
Status server_open(Server **s, const ServerOptions *options, const ServerHandler *handler,
                   Message *why);
void server_close(Server *s); /* closes every connection first; NULL is fine */
void server_url(const Server *s, char url[SERVER_URL_SIZE]);

/* Queues a text message; from any thread. A connection that lets too much pile up ends. */
void server_send(ServerConnection *c, const char *text, size_t len);

/* What was asked; valid until the answer. */
const char *server_request_path(const ServerRequest *r);
bool server_request_is_post(const ServerRequest *r);
bool server_request_argument(const ServerRequest *r, const char *name, char *out, size_t size);
Span server_request_body(const ServerRequest *r);

/* From any thread; takes the body's memory. `file` names an attachment, NULL: none. */
void server_answer(ServerRequest *r, int status, const char *type, const char *file, Text *body);
void server_refuse(ServerRequest *r, int status, const char *message); /* an answer as well */

#endif
