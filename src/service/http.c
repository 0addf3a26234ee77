#include "service/service_int.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SESSION_BODY = 4096, MAX_FAILED_LOGINS = 5, LOGIN_WINDOW_MS = 60000, HOST_SIZE = 256 };

static const char NO_PAGE[] =
    "<!doctype html><html lang=en><meta charset=utf-8><title>Castellan</title>"
    "<h1>Castellan</h1><p>The server runs, but its page was not built in: that needs nodejs. "
    "<code>make play</code> builds both.</p>";

/* -- Answers -- */

static const char *status_words(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 413:
        return "Content Too Large";
    case 429:
        return "Too Many Requests";
    case 503:
        return "Service Unavailable";
    default:
        return "Internal Server Error";
    }
}

typedef struct Answer {
    int status;
    const char *type;
    const char *extra; /* header lines, each with its CRLF */
    Span body;
    bool gzip;
} Answer;

static int send_answer(struct mg_connection *c, const Answer *a)
{
    const struct mg_request_info *info = mg_get_request_info(c);
    const char *host = mg_get_header(c, "Host");
    bool head = info->request_method && strcmp(info->request_method, "HEAD") == 0;
    mg_printf(c,
              "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s"
              "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n"
              "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
              "Cross-Origin-Opener-Policy: same-origin\r\n"
              "Cross-Origin-Resource-Policy: same-origin\r\n"
              "Content-Security-Policy: default-src 'self'; img-src 'self' data:; "
              "style-src 'self' 'unsafe-inline'; connect-src 'self' ws://%s; base-uri 'none'; "
              "form-action 'none'; frame-ancestors 'none'\r\n"
              "Connection: %s\r\n\r\n",
              a->status, status_words(a->status), a->type, a->body.len,
              a->gzip ? "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n" : "",
              a->extra ? a->extra : "", a->status < 400 && host ? host : "127.0.0.1",
              a->status < 400 ? "keep-alive" : "close");
    if (!head && a->body.len)
        mg_write(c, a->body.at, a->body.len);
    return a->status;
}

void http_refuse(struct mg_connection *c, int status, const char *text)
{
    Text body;
    text_init(&body);
    json_open(&body, NULL, '{');
    json_put_bool(&body, "ok", false);
    json_put_str(&body, "message", text);
    json_close(&body, '}');
    Answer a = {.status = status, .type = "application/json", .body = {body.at, body.len}};
    send_answer(c, &a);
    text_free(&body);
}

static int refuse(struct mg_connection *c, int status, const char *text)
{
    http_refuse(c, status, text);
    return status;
}

static int refuse_failed(struct mg_connection *c, Status s, const Message *why)
{
    return refuse(c, s == STATUS_MISSING ? 404 : s == STATUS_INVALID ? 400 : 500, why->text);
}

/* -- Who may come in -- */

/* The name of "name", "name:8960", "[::1]:8960"; false when the port is not ours. */
static bool split_host(const Service *service, const char *host, char *name, size_t size)
{
    char port[16];
    snprintf(port, sizeof port, ":%d", service->port);
    size_t len = strlen(host), tail = strlen(port);
    if (len < tail || strcmp(host + len - tail, port) != 0)
        return false;
    len -= tail;
    if (len >= 2 && host[0] == '[' && host[len - 1] == ']') {
        host++;
        len -= 2;
    }
    if (len == 0 || len >= size)
        return false;
    memcpy(name, host, len);
    name[len] = '\0';
    return true;
}

static bool is_address(const char *name)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, name, bytes) == 1 || inet_pton(AF_INET6, name, bytes) == 1;
}

static bool is_everything(const char *host)
{
    return strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
}

/* A page somewhere else can make its own name point here, but then that name is in Host. */
static bool host_is_ours(const Service *service, const char *host)
{
    char name[HOST_SIZE], own[HOST_SIZE];
    if (!host || !split_host(service, host, name, sizeof name))
        return false;
    if (!strcasecmp(name, "localhost") || !strcmp(name, "127.0.0.1") || !strcmp(name, "::1") ||
        !strcasecmp(name, service->options->host))
        return true;
    if (!is_everything(service->options->host))
        return false;
    return is_address(name) ||
           (gethostname(own, sizeof own) == 0 && strncasecmp(name, own, sizeof own) == 0);
}

static bool origin_is_ours(const char *origin, const char *host, bool needed)
{
    if (!origin)
        return !needed;
    return strncmp(origin, "http://", 7) == 0 && strcasecmp(origin + 7, host) == 0;
}

bool http_admits(Service *service, struct mg_connection *c, bool origin_needed)
{
    const char *host = mg_get_header(c, "Host");
    if (!host_is_ours(service, host)) {
        http_refuse(c, 403, "this server does not go by that name");
        return false;
    }
    if (!origin_is_ours(mg_get_header(c, "Origin"), host, origin_needed)) {
        http_refuse(c, 403, "another page asks");
        return false;
    }
    return true;
}

/* Takes as long for a wrong guess as for a right one. */
static bool same_secret(Span a, const char *b)
{
    size_t len = strlen(b);
    unsigned differs = a.len != len;
    for (size_t i = 0; i < a.len; i++)
        differs |= (unsigned char)(a.at[i] ^ b[len ? i % len : 0]);
    return !differs;
}

bool http_has_token(Service *service, struct mg_connection *c)
{
    char name[32], value[WEB_TOKEN_SIZE + 1];
    const char *cookies = mg_get_header(c, "Cookie");
    snprintf(name, sizeof name, "castellan_%d", service->port);
    return cookies && mg_get_cookie(cookies, name, value, sizeof value) > 0 &&
           same_secret(span_of(value), service->token);
}

/* -- Bodies -- */

/* All of it, within the limit; otherwise the refusal is sent and its status returned. */
static int read_body(struct mg_connection *c, size_t limit, Text *body)
{
    char piece[16 << 10];
    long long expected = mg_get_request_info(c)->content_length;
    if (expected > (long long)limit)
        return refuse(c, 413, "too much");
    for (int n; (n = mg_read(c, piece, sizeof piece)) > 0;) {
        if (body->len + (size_t)n > limit)
            return refuse(c, 413, "too much");
        text_add(body, piece, (size_t)n);
    }
    if (body->failed)
        return refuse(c, 503, "no memory for that");
    if (expected >= 0 && body->len != (size_t)expected)
        return refuse(c, 400, "the body is cut");
    return 0;
}

/* -- Sessions -- */

static bool may_try(Service *service)
{
    int64_t now = clock_now_ms();
    mutex_lock(&service->lock);
    if (now - service->failed_since > LOGIN_WINDOW_MS)
        service->failed_logins = 0;
    bool may = service->failed_logins < MAX_FAILED_LOGINS;
    mutex_unlock(&service->lock);
    return may;
}

static void note_failure(Service *service)
{
    mutex_lock(&service->lock);
    if (!service->failed_logins++)
        service->failed_since = clock_now_ms();
    mutex_unlock(&service->lock);
}

static bool password_fits(const Service *service, Span body)
{
    Json j;
    Message why;
    Span given;
    if (!service->options->password)
        return true;
    if (json_read(&j, body, &why) != STATUS_OK)
        return false;
    bool fits = json_string(json_get(&j, j.nodes, "password"), &given) &&
                same_secret(given, service->options->password);
    json_free(&j);
    return fits;
}

static int open_session(Service *service, struct mg_connection *c)
{
    static const char needs[] = "{\"ok\":false,\"needs\":\"password\"}";
    char cookie[160];
    Text body;
    text_init(&body);
    int status = read_body(c, MAX_SESSION_BODY, &body);
    bool guess = service->options->password && body.len > 2;
    if (!status && guess && !may_try(service))
        status = refuse(c, 429, "too many wrong passwords; wait a minute");
    if (!status && !http_has_token(service, c) &&
        !password_fits(service, (Span){body.at, body.len})) {
        if (guess)
            note_failure(service);
        status = send_answer(
            c, &(Answer){.status = 401, .type = "application/json", .body = span_of(needs)});
    }
    text_free(&body);
    if (status)
        return status;
    snprintf(cookie, sizeof cookie,
             "Set-Cookie: castellan_%d=%s; Path=/; HttpOnly; SameSite=Strict\r\n", service->port,
             service->token);
    return send_answer(c, &(Answer){.status = 200,
                                    .type = "application/json",
                                    .extra = cookie,
                                    .body = span_of("{\"ok\":true}")});
}

/* -- PGN -- */

static bool query_number(const struct mg_request_info *info, const char *name, int64_t *out)
{
    char text[32];
    const char *query = info->query_string;
    return query && mg_get_var(query, strlen(query), name, text, sizeof text) > 0 &&
           span_to_int64(span_of(text), 1, INT64_MAX, out);
}

static void query_words(const struct mg_request_info *info, StoreFilter *f, char *search,
                        size_t size)
{
    static const char *const outcomes[] = {"any", "won", "lost", "drawn", "running"};
    char text[64];
    const char *q = info->query_string;
    if (!q)
        return;
    size_t len = strlen(q);
    if (mg_get_var(q, len, "search", search, size) > 0)
        f->search = span_of(search);
    if (mg_get_var(q, len, "color", text, sizeof text) > 0)
        f->color = color_read(span_of(text));
    if (mg_get_var(q, len, "result", text, sizeof text) > 0)
        for (int i = 0; i < 5; i++)
            if (strcmp(outcomes[i], text) == 0)
                f->outcome = (StoreOutcome)i;
}

static Status write_pgn(Service *service, const struct mg_request_info *info, Text *out,
                        Message *why)
{
    Store *s;
    int64_t id;
    char search[256];
    StoreFilter f = {.kind = -1, .color = -1, .reviewed = -1, .limit = -1};
    Status status = store_open(&s, service->store_path, why);
    if (status != STATUS_OK)
        return status;
    if (query_number(info, "game", &id)) {
        status = pgn_of_game(s, id, out, why);
    } else if (query_number(info, "player", &f.player)) {
        query_words(info, &f, search, sizeof search);
        status = pgn_of_games(s, &f, out, why);
    } else {
        status = status_fail(why, STATUS_INVALID, "game or player is missing");
    }
    if (status == STATUS_OK)
        status = store_sync(s, why); /* a move that was read may be younger than the last sync */
    store_close(s);
    return status;
}

static int send_pgn(Service *service, struct mg_connection *c)
{
    Message why;
    Text pgn;
    text_init(&pgn);
    Status s = write_pgn(service, mg_get_request_info(c), &pgn, &why);
    int status = s == STATUS_OK
                     ? send_answer(c, &(Answer){.status = 200,
                                                .type = "application/x-chess-pgn; charset=utf-8",
                                                .extra = "Content-Disposition: attachment; "
                                                         "filename=\"castellan.pgn\"\r\n",
                                                .body = {pgn.at, pgn.len}})
                     : refuse_failed(c, s, &why);
    text_free(&pgn);
    return status;
}

static int answer_import(Service *service, struct mg_connection *c, int64_t player, Span pgn)
{
    Store *store;
    Message why;
    ImportReport report = {0};
    Text out;
    Status s = store_open(&store, service->store_path, &why);
    if (s != STATUS_OK)
        return refuse_failed(c, s, &why);
    text_init(&report.errors);
    text_init(&out);
    StorePlayer owner;
    s = store_player_load(store, player, &owner, &why);
    if (s == STATUS_OK)
        s = pgn_take(store, service->openings, player, pgn, &report, &why);
    if (s == STATUS_OK)
        s = store_sync(store, &why);
    json_open(&out, NULL, '{');
    json_put_bool(&out, "ok", true);
    pgn_report_json(&report, &out);
    json_close(&out, '}');
    int status = s == STATUS_OK ? send_answer(c, &(Answer){.status = 200,
                                                           .type = "application/json",
                                                           .body = {out.at, out.len}})
                                : refuse_failed(c, s, &why);
    text_free(&out);
    text_free(&report.errors);
    store_close(store);
    return status;
}

static int take_pgn(Service *service, struct mg_connection *c)
{
    int64_t player;
    Text body;
    if (!query_number(mg_get_request_info(c), "player", &player))
        return refuse(c, 400, "player is missing");
    text_init(&body);
    int status = read_body(c, WEB_MAX_BODY, &body);
    if (!status)
        status = answer_import(service, c, player, (Span){body.at, body.len});
    text_free(&body);
    return status;
}

/* -- The page -- */

static int send_asset(struct mg_connection *c, const Asset *a)
{
    char type[64], extra[64];
    const char *known = mg_get_header(c, "If-None-Match");
    snprintf(type, sizeof type, "%.*s", (int)a->type.len, a->type.at);
    snprintf(extra, sizeof extra, "ETag: %.*s\r\n", (int)a->etag.len, a->etag.at);
    if (known && span_is(a->etag, known))
        return send_answer(c, &(Answer){.status = 304, .type = type, .extra = extra});
    return send_answer(
        c, &(Answer){.status = 200, .type = type, .extra = extra, .body = a->gzip, .gzip = true});
}

/* A path without a dot is the page's own business. */
static int send_page(Service *service, struct mg_connection *c, const char *path)
{
    const Asset *a = assets_find(&service->assets, span_of(path));
    if (!a && !strchr(path, '.'))
        a = assets_find(&service->assets, span_of("/index.html"));
    if (a)
        return send_asset(c, a);
    if (!service->assets.count && strcmp(path, "/") == 0)
        return send_answer(
            c,
            &(Answer){.status = 200, .type = "text/html; charset=utf-8", .body = span_of(NO_PAGE)});
    return refuse(c, 404, "no such page");
}

/* -- Routes -- */

static int answer_get(Service *service, struct mg_connection *c, const char *path)
{
    if (strcmp(path, "/healthz") == 0)
        return send_answer(c,
                           &(Answer){.status = 200, .type = "text/plain", .body = span_of("ok\n")});
    if (strcmp(path, "/api/pgn") == 0)
        return http_has_token(service, c) ? send_pgn(service, c)
                                          : refuse(c, 403, "open a session first");
    if (strncmp(path, "/api/", 5) == 0 || strcmp(path, "/ws") == 0)
        return refuse(c, 404, "no such request");
    return send_page(service, c, path);
}

static int answer_post(Service *service, struct mg_connection *c, const char *path)
{
    if (strcmp(path, "/api/session") == 0)
        return open_session(service, c);
    if (strcmp(path, "/api/import") == 0)
        return http_has_token(service, c) ? take_pgn(service, c)
                                          : refuse(c, 403, "open a session first");
    return refuse(c, 404, "no such request");
}

typedef struct Call {
    Service *service;
    struct mg_connection *connection;
    int status;
} Call;

static int answer(Service *service, struct mg_connection *c)
{
    const struct mg_request_info *info = mg_get_request_info(c);
    const char *method = info->request_method, *path = info->local_uri;
    if (!http_admits(service, c, false))
        return 403;
    if (!method || !path)
        return refuse(c, 400, "not understood");
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        return answer_get(service, c, path);
    if (strcmp(method, "POST") == 0)
        return answer_post(service, c, path);
    return refuse(c, 405, "GET, HEAD or POST");
}

static void take_call(void *arg)
{
    Call *call = arg;
    call->status = answer(call->service, call->connection);
}

int http_answer(Service *service, struct mg_connection *c)
{
    Call call = {.service = service, .connection = c};
    return server_with_room(take_call, &call) ? call.status : refuse(c, 503, "no memory for that");
}
