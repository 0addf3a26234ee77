/* Requests: the page's files, sessions, and what the handler answers. A request lives until its
 * answer is written, or until both the connection and the handler have let go of it. */
#include "server/server_int.h"

#include "base/clock.h"
#include "server/answer_int.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_SESSION_BODY = 4096,
    MAX_BODY = 16 << 20,
    MAX_ALL_BODIES = 64 << 20,
    BODY_MS = 5000,           /* until a body must be there */
    TRUSTED_BODY_MS = 300000, /* with a session: imports are large */
    MAX_ARGUMENTS = 8,
    ARGUMENT_SIZE = 288
};

struct ServerRequest {
    ServerRequest *next;
    Server *server;
    char path[256];
    bool is_post, is_head, trusted;
    bool routed; /* the answer is there or on its way */
    AnswerContext context;
    char token[SESSION_TOKEN_SIZE];
    SessionPeer peer;
    char arguments[MAX_ARGUMENTS][ARGUMENT_SIZE]; /* "name=value" */
    int argument_count;
    Text body;
    size_t announced; /* bytes of the body */
    int64_t due;
    /* Under Server.lock. */
    struct lws *wsi; /* NULL: gone */
    bool with_handler, answered, woken;
    Answer answer;
};

/* -- For the handler -- */

const char *server_request_path(const ServerRequest *r)
{
    return r->path;
}

bool server_request_is_post(const ServerRequest *r)
{
    return r->is_post;
}

Span server_request_body(const ServerRequest *r)
{
    return (Span){r->body.at, r->body.len};
}

bool server_request_argument(const ServerRequest *r, const char *name, char *out, size_t size)
{
    size_t len = strlen(name);
    for (int i = 0; i < r->argument_count; i++)
        if (strncmp(r->arguments[i], name, len) == 0 && r->arguments[i][len] == '=')
            return (size_t)snprintf(out, size, "%s", r->arguments[i] + len + 1) < size;
    return false;
}

/* -- Coming and going -- */

static ServerRequest *new_request(Server *s, struct lws *wsi)
{
    ServerRequest *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->server = s;
    r->wsi = wsi;
    text_init(&r->body);
    mutex_lock(&s->lock);
    r->next = s->requests;
    s->requests = r;
    mutex_unlock(&s->lock);
    return r;
}

/* Under Server.lock. */
static void free_request(ServerRequest *r)
{
    for (ServerRequest **at = &r->server->requests; *at; at = &(*at)->next)
        if (*at == r) {
            *at = r->next;
            break;
        }
    answer_free(&r->answer);
    text_free(&r->body);
    free(r);
}

/* The connection lets go. */
static void drop_request(ServerPeer *peer)
{
    ServerRequest *r = peer->request;
    if (!r)
        return;
    Server *s = r->server;
    peer->request = NULL;
    s->body_bytes -= r->announced;
    mutex_lock(&s->lock);
    r->wsi = NULL;
    if (!r->with_handler)
        free_request(r);
    mutex_unlock(&s->lock);
}

/* -- Answers -- */

/* On the loop's thread. */
static int reply(ServerRequest *r, Answer a)
{
    mutex_lock(&r->server->lock);
    r->answer = a;
    r->answered = r->routed = true;
    mutex_unlock(&r->server->lock);
    lws_callback_on_writable(r->wsi);
    return 0;
}

static int refuse(ServerRequest *r, int status, const char *text)
{
    return reply(r, answer_refusal(status, text));
}

void server_answer(ServerRequest *r, int status, const char *type, const char *file, Text *body)
{
    Server *s = r->server;
    mutex_lock(&s->lock);
    r->with_handler = false;
    r->answer = answer_owned(status, type, file, body);
    r->answered = true;
    bool gone = !r->wsi;
    if (gone)
        free_request(r);
    mutex_unlock(&s->lock);
    if (!gone)
        lws_cancel_service(s->context);
}

void server_refuse(ServerRequest *r, int status, const char *message)
{
    Answer a = answer_refusal(status, message);
    server_answer(r, status, a.type, NULL, &a.owned);
}

void http_wake(Server *s)
{
    mutex_lock(&s->lock);
    for (ServerRequest *r = s->requests; r; r = r->next)
        if (r->wsi && r->answered && !r->woken) {
            r->woken = true;
            lws_callback_on_writable(r->wsi);
        }
    mutex_unlock(&s->lock);
}

int http_refuse(const Server *s, struct lws *wsi, int status, const char *text)
{
    Answer a = answer_refusal(status, text);
    AnswerContext context = {.tls = s->tls};
    int written = 0;
    while (written == 0)
        written = answer_write(&a, wsi, &context, false);
    answer_free(&a);
    return written;
}

static bool is_answered(ServerRequest *r)
{
    mutex_lock(&r->server->lock);
    bool answered = r->answered;
    mutex_unlock(&r->server->lock);
    return answered;
}

static int write_answer(ServerPeer *peer)
{
    ServerRequest *r = peer->request;
    if (!r || !is_answered(r))
        return 0;
    if (!r->answer.head_sent)
        lws_set_timeout(r->wsi, PENDING_TIMEOUT_HTTP_CONTENT,
                        r->trusted ? ANSWER_TRUSTED_SECONDS : ANSWER_SECONDS);
    struct lws *wsi = r->wsi;
    int written = answer_write(&r->answer, wsi, &r->context, r->is_head);
    if (written < 0)
        return -1;
    if (written == 0) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    drop_request(peer);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* -- Sessions -- */

static int reply_session(ServerRequest *r, const char *token, int seconds)
{
    const Server *s = r->server;
    Answer a = answer_json(200, json_pack("{s:b}", "ok", 1));
    snprintf(a.extra, sizeof a.extra,
             "Set-Cookie: castellan_%d=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s\r\n",
             s->port, token, seconds, s->tls ? "; Secure" : "");
    return reply(r, a);
}

static int begin_session(ServerRequest *r)
{
    Server *s = r->server;
    Message why;
    if (r->trusted)
        return reply_session(r, r->token, SESSION_SECONDS);
    json_t *root = json_loadb(r->body.at, r->body.len, 0, NULL);
    const char *password = json_string_value(json_object_get(root, "password"));
    Status status = sessions_begin(s->sessions, r->peer, span_of(password ? password : ""),
                                   clock_now_ms(), r->token, &why);
    json_decref(root);
    if (status == STATUS_OK)
        return reply_session(r, r->token, SESSION_SECONDS);
    if (status != STATUS_INVALID)
        return refuse(r, status == STATUS_REFUSED ? 429 : 500, why.text);
    return reply(r, answer_json(401, json_pack("{s:b, s:s}", "ok", 0, "needs", "password")));
}

static int end_session(ServerRequest *r)
{
    if (r->trusted) {
        sessions_end(r->server->sessions, span_of(r->token));
        websocket_end_session(r->server, r->token);
    }
    return reply_session(r, "", 0);
}

/* -- Routes -- */

static int hand_over(ServerRequest *r)
{
    const ServerHandler *h = &r->server->handler;
    if (!r->trusted)
        return refuse(r, 403, "open a session first");
    r->routed = true;
    mutex_lock(&r->server->lock);
    r->with_handler = true;
    mutex_unlock(&r->server->lock);
    lws_set_timeout(r->wsi, NO_PENDING_TIMEOUT, 0);
    h->request(h->user, r);
    return 0;
}

static int route_get(ServerRequest *r)
{
    if (strcmp(r->path, "/healthz") == 0)
        return reply(r, (Answer){.status = 200, .type = "text/plain", .body = span_of("ok\n")});
    if (strncmp(r->path, "/api/", 5) == 0)
        return hand_over(r);
    if (strcmp(r->path, "/ws") == 0)
        return refuse(r, 404, "no such page");
    return reply(r, answer_asset(&r->server->assets, r->path, &r->context));
}

static int route_post(ServerRequest *r)
{
    if (strcmp(r->path, "/api/session") == 0)
        return begin_session(r);
    if (strcmp(r->path, "/api/logout") == 0)
        return end_session(r);
    return strncmp(r->path, "/api/", 5) == 0 ? hand_over(r) : refuse(r, 404, "no such page");
}

/* A body will come, if it may. */
static int expect_body(ServerRequest *r)
{
    char text[24] = "";
    int64_t len = -1;
    bool session = !strcmp(r->path, "/api/session") || !strcmp(r->path, "/api/logout");
    lws_hdr_copy(r->wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    if (!span_to_int64(span_of(text), 0, INT64_MAX, &len))
        return refuse(r, 411, "Content-Length is missing or not a number");
    if (!session && !r->trusted)
        return refuse(r, 403, "open a session first");
    if (len > (session ? MAX_SESSION_BODY : MAX_BODY))
        return refuse(r, 413, "the body is too large");
    if (r->server->body_bytes + (size_t)len > MAX_ALL_BODIES)
        return refuse(r, 503, "too many uploads at once");
    r->announced = (size_t)len;
    r->server->body_bytes += r->announced;
    r->due = clock_now_ms() + (r->trusted ? TRUSTED_BODY_MS : BODY_MS);
    return len ? 0 : route_post(r);
}

static int take_body(ServerRequest *r, const char *bytes, size_t len)
{
    if (!r || r->routed)
        return 0; /* of a request that was refused */
    if (clock_now_ms() > r->due || r->body.len + len > r->announced)
        return -1;
    text_add(&r->body, bytes, len);
    return r->body.failed ? -1 : 0;
}

static void copy_head(ServerRequest *r, const char *path, size_t len)
{
    Server *s = r->server;
    snprintf(r->path, sizeof r->path, "%.*s", (int)len, path);
    r->peer = admission_peer(r->wsi);
    r->trusted = admission_token(s, r->wsi, r->token);
    r->context = answer_context(r->wsi, s->tls);
    for (int i = 0; i < MAX_ARGUMENTS; i++) {
        char *to = r->arguments[r->argument_count];
        if (lws_hdr_copy_fragment(r->wsi, to, ARGUMENT_SIZE, WSI_TOKEN_HTTP_URI_ARGS, i) > 0)
            r->argument_count++;
    }
}

static int begin_request(Server *s, struct lws *wsi, ServerPeer *peer, const char *path, size_t len)
{
    char *uri;
    int uri_len, method = lws_http_get_uri_and_method(wsi, &uri, &uri_len);
    drop_request(peer);
    ServerRequest *r = peer->request = new_request(s, wsi);
    if (!r)
        return -1;
    copy_head(r, path, len);
    const char *refusal = admission_refusal(s, wsi, false);
    if (refusal)
        return refuse(r, 403, refusal);
    r->is_post = method == LWSHUMETH_POST;
    r->is_head = method == LWSHUMETH_HEAD;
    if (method == LWSHUMETH_GET || r->is_head)
        return route_get(r);
    return r->is_post ? expect_body(r) : refuse(r, 405, "only GET, HEAD and POST are supported");
}

int http_event(Server *s, struct lws *wsi, enum lws_callback_reasons reason, ServerPeer *peer,
               void *in, size_t len)
{
    if (!peer)
        return 0;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return begin_request(s, wsi, peer, in, len);
    case LWS_CALLBACK_HTTP_BODY:
        return take_body(peer->request, in, len);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return peer->request && !peer->request->routed ? route_post(peer->request) : 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return write_answer(peer);
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL: /* the connection becomes a WebSocket */
    case LWS_CALLBACK_CLOSED_HTTP:
        drop_request(peer);
        return 0;
    default:
        return 0;
    }
}
