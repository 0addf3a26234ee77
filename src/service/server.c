/* civetweb: one thread for each connection that is being served. A WebSocket keeps its thread, so their
 * number is limited and the rest is for requests, which must come quickly or not at all. */
#include "service/service_int.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = WEB_MAX_CLIENTS + WEB_REQUEST_THREADS, ROOM_BYTES = 8 << 20, KEY_LENGTH = 24 };

struct Server {
    Service *service;
    struct mg_context *context;
};

/* -- Room -- */

typedef struct Errand {
    void (*run)(void *arg);
    void *arg;
} Errand;

static void *errand_main(void *arg)
{
    Errand *e = arg;
    e->run(e->arg);
    return NULL;
}

bool server_with_room(void (*run)(void *arg), void *arg)
{
    Thread t;
    Message why;
    Errand e = {run, arg};
    if (thread_start(&t, errand_main, &e, ROOM_BYTES, &why) != STATUS_OK)
        return false;
    thread_join(t);
    return true;
}

/* -- WebSockets -- */

static bool enter(Service *service)
{
    mutex_lock(&service->lock);
    bool room = service->client_count < WEB_MAX_CLIENTS && !service->closing;
    service->client_count += room;
    mutex_unlock(&service->lock);
    return room;
}

static void leave(Service *service)
{
    mutex_lock(&service->lock);
    service->client_count--;
    mutex_unlock(&service->lock);
}

/* With another one civetweb's handshake fails, and tells nobody. */
static bool has_key(const struct mg_connection *link)
{
    const char *key = mg_get_header(link, "Sec-WebSocket-Key");
    return key && strlen(key) == KEY_LENGTH;
}

static int on_connect(const struct mg_connection *link, void *user)
{
    Service *service = user;
    struct mg_connection *conn = (struct mg_connection *)(uintptr_t)link;
    if (!http_admits(service, conn, true))
        return 1;
    if (!http_has_token(service, conn)) {
        http_refuse(conn, 403, "open a session first");
        return 1;
    }
    if (!has_key(link)) {
        http_refuse(conn, 400, "the key of the WebSocket is not one");
        return 1;
    }
    if (wire_socket(link) < 0 || !enter(service)) {
        http_refuse(conn, 503, "too many connections");
        return 1;
    }
    return 0;
}

/* The whole life of a connection, on civetweb's thread. When this returns civetweb begins to read for itself,
 * and finds the end. */
static void on_ready(struct mg_connection *link, void *user)
{
    Client *c;
    Message why;
    int fd = wire_socket(link);
    wire_rests(user, link); /* from here on silence is measured, and what waits */
    if (client_open(&c, user, link, fd, &why) == STATUS_OK) {
        frame_serve(c);
        client_close(c);
    }
    leave(user);
    wire_end(fd);
}

/* What came in one piece with the request, which no browser sends: civetweb has kept it to itself, and shows it
 * when the connection is over. */
static int on_data(struct mg_connection *link, int bits, char *bytes, size_t len, void *user)
{
    (void)link, (void)bits, (void)bytes, (void)len, (void)user;
    return 0;
}

bool server_write(void *link, int opcode, const char *bytes, size_t len)
{
    int written = mg_websocket_write(link, opcode, bytes, len);
    return written > 0 && (size_t)written >= len;
}

/* -- Requests -- */

static int on_arrival(const struct mg_connection *link, void **data)
{
    wire_arrives(mg_get_user_data(mg_get_context(link)), data);
    return 0;
}

static void on_departure(const struct mg_connection *link)
{
    wire_leaves(mg_get_user_data(mg_get_context(link)), link);
}

static int on_request(struct mg_connection *link)
{
    const struct mg_request_info *info = mg_get_request_info(link);
    Service *service = mg_get_user_data(mg_get_context(link));
    const char *upgrade = mg_get_header(link, "Upgrade");
    wire_asks(service, link);
    wire_works(service, link, http_has_token(service, link));
    if (upgrade && info->local_uri && strcmp(info->local_uri, "/ws") == 0)
        return 0;
    return http_answer(service, link);
}

static void on_answered(const struct mg_connection *link, int status)
{
    (void)status;
    wire_rests(mg_get_user_data(mg_get_context(link)), link);
}

/* civetweb's own errors: of requests that it cannot read. */
static int on_error(struct mg_connection *link, int status, const char *message)
{
    (void)message;
    mg_printf(link,
              "HTTP/1.1 %d Refused\r\nContent-Length: 0\r\nX-Content-Type-Options: nosniff\r\n"
              "Connection: close\r\n\r\n",
              status);
    return 0;
}

/* What civetweb has to say is about clients that behave badly; nobody needs to read that. */
static int on_log(const struct mg_connection *link, const char *message)
{
    (void)link, (void)message;
    return 1;
}

/* -- Coming and going -- */

static Status listening(Server *s, Message *why)
{
    struct mg_server_port ports[4];
    if (mg_get_server_ports(s->context, 4, ports) < 1)
        return status_fail(why, STATUS_IO, "no port to listen on");
    s->service->port = ports[0].port;
    return STATUS_OK;
}

static void place_text(const WebOptions *o, char *out, size_t size)
{
    struct in6_addr six;
    bool is_six = inet_pton(AF_INET6, o->host, &six) == 1;
    snprintf(out, size, is_six ? "[%s]:%d" : "%s:%d", o->host, o->port);
}

Status server_open(Server **out, Service *service, Message *why)
{
    char place[128], threads[16];
    place_text(service->options, place, sizeof place);
    snprintf(threads, sizeof threads, "%d", THREADS);
    const char *config[] = {"listening_ports",
                            place,
                            "num_threads",
                            threads,
                            "request_timeout_ms",
                            "3000",
                            "listen_backlog",
                            "1024",
                            "enable_keep_alive",
                            "yes",
                            "keep_alive_timeout_ms",
                            "500",
                            "linger_timeout_ms",
                            "500",
                            "tcp_nodelay",
                            "1",
                            "enable_directory_listing",
                            "no",
                            "decode_url",
                            "yes",
                            "max_request_size",
                            "16384",
                            NULL};
    Server *s = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "no memory for the server");
    s->service = service;
    mg_init_library(0);
    struct mg_callbacks calls = {.init_connection = on_arrival,
                                 .connection_close = on_departure,
                                 .begin_request = on_request,
                                 .end_request = on_answered,
                                 .http_error = on_error,
                                 .log_message = on_log};
    s->context = mg_start(&calls, service, config);
    if (!s->context) {
        mg_exit_library();
        free(s);
        return status_fail(why, STATUS_REFUSED,
                           "cannot listen on %s: the port is in use, or the address not this "
                           "machine's",
                           place);
    }
    mg_set_websocket_handler(s->context, "/ws", on_connect, on_ready, on_data, NULL, service);
    *out = s;
    return listening(s, why);
}

void server_close(Server *s)
{
    if (!s)
        return;
    mg_stop(s->context);
    mg_exit_library();
    free(s);
}
