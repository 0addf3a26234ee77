/* WebSockets: messages are put together from their fragments, what is to be sent waits
 * in a queue. */
#include "server/server_int.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLOSE_UNSUPPORTED = 1003,
    CLOSE_TOO_LARGE = 1009,
    CLOSE_TRY_LATER = 1013,
    QUEUE_BYTES = 4 << 20 /* a connection that lets more pile up ends */
};

typedef struct Outgoing {
    struct Outgoing *next;
    size_t len;
    unsigned char bytes[]; /* LWS_PRE of them for the library, then the text */
} Outgoing;

struct ServerConnection {
    ServerConnection *next;
    Server *server;
    struct lws *wsi;
    void *client; /* the handler's */
    char token[SESSION_TOKEN_SIZE];
    Text partial; /* of a message that is not complete */
    /* Under Server.lock. */
    Outgoing *first, *last;
    size_t queued;
    bool overflown, woken;
};

/* -- Sending -- */

void server_send(ServerConnection *c, const char *text, size_t len)
{
    Server *s = c->server;
    Outgoing *out = malloc(sizeof *out + LWS_PRE + len);
    if (out) {
        *out = (Outgoing){.len = len};
        memcpy(out->bytes + LWS_PRE, text, len);
    }
    mutex_lock(&s->lock);
    c->overflown |= !out || c->queued + len > QUEUE_BYTES;
    if (!c->overflown) {
        if (c->last)
            c->last->next = out;
        else
            c->first = out;
        c->last = out;
        c->queued += len;
        out = NULL;
    }
    bool wake = !c->woken;
    c->woken = true;
    mutex_unlock(&s->lock);
    free(out);
    if (wake)
        lws_cancel_service(s->context);
}

void websocket_wake(Server *s)
{
    mutex_lock(&s->lock);
    for (ServerConnection *c = s->connections; c; c = c->next) {
        if (!c->woken)
            continue;
        c->woken = false;
        if (c->overflown) /* it would miss something: let it connect again and ask anew */
            lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
        else
            lws_callback_on_writable(c->wsi);
    }
    mutex_unlock(&s->lock);
}

static Outgoing *take_first(ServerConnection *c)
{
    mutex_lock(&c->server->lock);
    Outgoing *out = c->first;
    if (out) {
        c->first = out->next;
        c->queued -= out->len;
    }
    if (!c->first)
        c->last = NULL;
    mutex_unlock(&c->server->lock);
    return out;
}

static int write_next(ServerConnection *c)
{
    Outgoing *out = take_first(c);
    if (!out)
        return 0;
    int written = lws_write(c->wsi, out->bytes + LWS_PRE, out->len, LWS_WRITE_TEXT);
    free(out);
    lws_callback_on_writable(c->wsi);
    return written < 0 ? -1 : 0;
}

/* -- Receiving -- */

static int close_with(const ServerConnection *c, int code)
{
    lws_close_reason(c->wsi, (enum lws_close_status)code, NULL, 0);
    return -1;
}

static int receive(ServerConnection *c, const char *bytes, size_t len)
{
    const Server *s = c->server;
    if (lws_frame_is_binary(c->wsi))
        return close_with(c, CLOSE_UNSUPPORTED);
    if (c->partial.len + len + lws_remaining_packet_payload(c->wsi) > SERVER_MAX_MESSAGE)
        return close_with(c, CLOSE_TOO_LARGE);
    text_add(&c->partial, bytes, len);
    if (c->partial.failed)
        return close_with(c, CLOSE_TRY_LATER);
    if (lws_remaining_packet_payload(c->wsi) || !lws_is_final_fragment(c->wsi))
        return 0;
    int code =
        s->handler.message(s->handler.user, c->client, (Span){c->partial.at, c->partial.len});
    text_clear(&c->partial);
    return code ? close_with(c, code) : 0;
}

/* -- Coming and going -- */

/* Before the upgrade, where HTTP can still say no. */
static int admit(Server *s, struct lws *wsi, const char *upgrade)
{
    char token[SESSION_TOKEN_SIZE], *path;
    int len;
    if (strcmp(upgrade, "websocket") != 0 || lws_http_get_uri_and_method(wsi, &path, &len) < 0)
        return -1;
    const char *refusal = admission_refusal(s, wsi, true);
    if (refusal)
        return http_refuse(s, wsi, 403, refusal);
    if (!span_is((Span){path, (size_t)len}, "/ws"))
        return http_refuse(s, wsi, 404, "no such page");
    if (!admission_token(s, wsi, token))
        return http_refuse(s, wsi, 403, "open a session first");
    if (s->connection_count >= SERVER_MAX_CONNECTIONS)
        return http_refuse(s, wsi, 503, "too many connections");
    return 0;
}

static void free_connection(ServerConnection *c)
{
    for (Outgoing *out; (out = take_first(c)) != NULL;)
        free(out);
    text_free(&c->partial);
    free(c);
}

static int establish(Server *s, struct lws *wsi, ServerPeer *peer)
{
    ServerConnection *c = calloc(1, sizeof *c);
    if (!c)
        return -1;
    c->server = s;
    c->wsi = wsi;
    text_init(&c->partial);
    admission_token(s, wsi, c->token);
    c->client = s->handler.open(s->handler.user, c);
    if (!c->client) {
        free_connection(c);
        return -1;
    }
    peer->connection = c;
    mutex_lock(&s->lock);
    c->next = s->connections;
    s->connections = c;
    s->connection_count++;
    mutex_unlock(&s->lock);
    return 0;
}

static void close_connection(Server *s, ServerPeer *peer)
{
    ServerConnection *c = peer->connection;
    if (!c)
        return;
    peer->connection = NULL;
    s->handler.close(s->handler.user, c->client);
    mutex_lock(&s->lock);
    for (ServerConnection **at = &s->connections; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            s->connection_count--;
            break;
        }
    mutex_unlock(&s->lock);
    free_connection(c);
}

void websocket_end_session(Server *s, const char *token)
{
    mutex_lock(&s->lock);
    for (ServerConnection *c = s->connections; c; c = c->next)
        if (strcmp(c->token, token) == 0)
            lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    mutex_unlock(&s->lock);
}

int websocket_event(Server *s, struct lws *wsi, enum lws_callback_reasons reason, ServerPeer *peer,
                    void *in, size_t len)
{
    switch (reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return admit(s, wsi, in);
    case LWS_CALLBACK_ESTABLISHED:
        return establish(s, wsi, peer);
    case LWS_CALLBACK_RECEIVE:
        return peer->connection ? receive(peer->connection, in, len) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return peer->connection ? write_next(peer->connection) : -1;
    case LWS_CALLBACK_CLOSED:
        close_connection(s, peer);
        return 0;
    default:
        return http_event(s, wsi, reason, peer, in, len);
    }
}
