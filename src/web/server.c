/* civetweb: one thread for each connection that is being served. A WebSocket keeps its thread, so their
 * number is limited and the rest is for requests, which must come quickly or not at all. */
#include "web/web_int.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <dirent.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    THREADS = WEB_MAX_CLIENTS + 192,
    ROOM_BYTES = 8 << 20,
    OPCODE = 0x0F,
    FINAL = 0x80,
    RESERVED = 0x70,
    CLOSE_PROTOCOL = 1002,
    CLOSE_UNSUPPORTED = 1003,
    CLOSE_TOO_LARGE = 1009,
    SILENCE_MS = 45000
};

struct Server {
    Web *web;
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

/* -- Sockets -- */

typedef int EndOf(int fd, struct sockaddr *at, socklen_t *len);

static bool end_is(EndOf *end, int fd, const char *host, int port)
{
    struct sockaddr_storage at;
    socklen_t len = sizeof at;
    char name[64], number[16];
    int64_t n;
    return end(fd, (struct sockaddr *)&at, &len) == 0 &&
           getnameinfo((struct sockaddr *)&at, len, name, sizeof name, number, sizeof number,
                       NI_NUMERICHOST | NI_NUMERICSERV) == 0 &&
           span_to_int64(span_of(number), 0, UINT16_MAX, &n) && n == port &&
           (!host || strcmp(name, host) == 0);
}

/* civetweb keeps its sockets to itself: it is the one that leads from our port to theirs. */
static int find_socket(const Web *web, const struct mg_request_info *info)
{
    int found = -1;
    DIR *open = opendir("/proc/self/fd");
    if (!open)
        return -1;
    for (struct dirent *e; found < 0 && (e = readdir(open));) {
        int64_t fd;
        if (span_to_int64(span_of(e->d_name), 0, INT32_MAX, &fd) &&
            end_is(getpeername, (int)fd, info->remote_addr, info->remote_port) &&
            end_is(getsockname, (int)fd, NULL, web->port))
            found = (int)fd;
    }
    closedir(open);
    return found;
}

/* civetweb pings those who are silent between two frames, but waits for the rest of a frame for
 * ever: a client that broke off there would keep its place and its thread. */
void server_end_if_silent(const Web *web, const Client *c)
{
    struct tcp_info info;
    socklen_t len = sizeof info;
    int most = web->options->silence_ms ? web->options->silence_ms : SILENCE_MS;
    if (c->socket >= 0 && getsockopt(c->socket, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 &&
        info.tcpi_last_data_recv > (unsigned)most)
        shutdown(c->socket, SHUT_RDWR);
}

/* -- WebSockets -- */

static bool enter(Web *web)
{
    mutex_lock(&web->lock);
    bool room = web->client_count < WEB_MAX_CLIENTS && !web->closing;
    web->client_count += room;
    mutex_unlock(&web->lock);
    return room;
}

static void leave(Web *web)
{
    mutex_lock(&web->lock);
    web->client_count--;
    mutex_unlock(&web->lock);
}

static int on_connect(const struct mg_connection *link, void *user)
{
    Web *web = user;
    Client *c;
    Message why;
    struct mg_connection *conn = (struct mg_connection *)(uintptr_t)link;
    if (!http_admits(web, conn, true))
        return 1;
    if (!http_has_token(web, conn)) {
        http_refuse(conn, 403, "open a session first");
        return 1;
    }
    if (!enter(web)) {
        http_refuse(conn, 503, "too many connections");
        return 1;
    }
    if (client_open(&c, web, conn, &why) != STATUS_OK) {
        leave(web);
        http_refuse(conn, 503, why.text);
        return 1;
    }
    int found = find_socket(web, mg_get_request_info(link));
    mutex_lock(&web->lock);
    c->socket = found;
    mutex_unlock(&web->lock);
    mg_set_user_connection_data(link, c);
    return 0;
}

/* Puts the pieces of a message together; true when `*whole` is one. */
static bool assemble(Client *c, int bits, Span piece, Span *whole)
{
    int opcode = bits & OPCODE;
    bool starts = opcode == MG_WEBSOCKET_OPCODE_TEXT;
    if ((bits & RESERVED) || (starts == c->is_partial)) {
        c->close_code = CLOSE_PROTOCOL;
        return false;
    }
    if (c->partial.len + piece.len > WEB_MAX_MESSAGE) {
        c->close_code = CLOSE_TOO_LARGE;
        return false;
    }
    if (starts)
        text_clear(&c->partial);
    text_add(&c->partial, piece.at, piece.len);
    c->is_partial = !(bits & FINAL);
    *whole = (Span){c->partial.at, c->partial.len};
    return !c->is_partial && !c->partial.failed;
}

typedef struct Letter {
    Client *client;
    Span text;
    bool fine;
} Letter;

static void read_letter(void *arg)
{
    Letter *l = arg;
    Web *web = l->client->web;
    mutex_lock(&web->lock);
    l->fine = dispatch(l->client, l->text);
    mutex_unlock(&web->lock);
}

static bool handle(Client *c, int bits, Span piece)
{
    Span whole;
    int opcode = bits & OPCODE;
    if (opcode == MG_WEBSOCKET_OPCODE_BINARY)
        c->close_code = CLOSE_UNSUPPORTED;
    else if (opcode != MG_WEBSOCKET_OPCODE_TEXT && opcode != MG_WEBSOCKET_OPCODE_CONTINUATION)
        return opcode != MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE; /* pings are civetweb's business */
    else if (assemble(c, bits, piece, &whole)) {
        Letter letter = {.client = c, .text = whole};
        bool read = server_with_room(read_letter, &letter);
        text_clear(&c->partial);
        return read && letter.fine;
    }
    return !c->close_code;
}

/* A client that was given up, because it does not read, is closed with its next word. */
static bool given_up(Client *c)
{
    mutex_lock(&c->lock);
    bool dead = c->dead;
    mutex_unlock(&c->lock);
    return dead;
}

static int on_data(struct mg_connection *link, int bits, char *bytes, size_t len, void *user)
{
    (void)user;
    Client *c = mg_get_user_connection_data(link);
    return c && !given_up(c) && handle(c, bits, (Span){bytes, len});
}

static void on_close(const struct mg_connection *link, void *user)
{
    Client *c = mg_get_user_connection_data(link);
    if (!c)
        return;
    mg_set_user_connection_data(link, NULL);
    client_close(c);
    leave(user);
}

bool server_write(void *link, int opcode, const char *bytes, size_t len)
{
    int written = mg_websocket_write(link, opcode, bytes, len);
    return written > 0 && (size_t)written >= len;
}

/* -- Requests -- */

static int on_request(struct mg_connection *link)
{
    const struct mg_request_info *info = mg_get_request_info(link);
    Web *web = mg_get_user_data(mg_get_context(link));
    const char *upgrade = mg_get_header(link, "Upgrade");
    if (upgrade && info->local_uri && strcmp(info->local_uri, "/ws") == 0)
        return 0;
    return http_answer(web, link);
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
    s->web->port = ports[0].port;
    return STATUS_OK;
}

static void place_text(const WebOptions *o, char *out, size_t size)
{
    struct in6_addr six;
    bool is_six = inet_pton(AF_INET6, o->host, &six) == 1;
    snprintf(out, size, is_six ? "[%s]:%d" : "%s:%d", o->host, o->port);
}

Status server_open(Server **out, Web *web, Message *why)
{
    char place[128], threads[16];
    place_text(web->options, place, sizeof place);
    snprintf(threads, sizeof threads, "%d", THREADS);
    const char *config[] = {"listening_ports",
                            place,
                            "num_threads",
                            threads,
                            "request_timeout_ms",
                            "3000",
                            "websocket_timeout_ms",
                            "7000",
                            "enable_websocket_ping_pong",
                            "yes",
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
    s->web = web;
    mg_init_library(0);
    struct mg_callbacks calls = {.begin_request = on_request, .log_message = on_log};
    s->context = mg_start(&calls, web, config);
    if (!s->context) {
        mg_exit_library();
        free(s);
        return status_fail(why, STATUS_REFUSED,
                           "cannot listen on %s: the port is in use, or the address not this "
                           "machine's",
                           place);
    }
    mg_set_websocket_handler(s->context, "/ws", on_connect, NULL, on_data, on_close, web);
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
