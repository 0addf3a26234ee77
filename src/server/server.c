#include "server/server_int.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    MAX_SOCKETS = 16384,
    OTHER_FILES = 128, /* descriptors that are not sockets of ours */
    LOOP_STACK = 8 << 20,
    HEADER_BYTES = 8192,
    HEADERS_AT_ONCE = 2048, /* requests that have begun; more wait for their turn */
    HEAD_SECONDS = 2,       /* until the head of a request must be there */
    IDLE_SECONDS = 5,       /* between the requests of a connection */
    PIECE_BYTES = 16 << 10,
    PING_SECONDS = 7,
    SILENCE_SECONDS = 45
};

/* -- Events -- */

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    struct lws_context *context = lws_get_context(wsi);
    Server *s = context ? lws_context_user(context) : NULL;
    if (!s)
        return 0;
    switch (reason) {
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        websocket_wake(s);
        http_wake(s);
        return 0;
    case LWS_CALLBACK_RAW_RX_FILE:
        listener_event(s->listener);
        return 0;
    default:
        return websocket_event(s, wsi, reason, user, in, len);
    }
}

static void *loop_main(void *arg)
{
    Server *s = arg;
    while (!atomic_load(&s->quit) && lws_service(s->context, 0) >= 0)
        ;
    return NULL;
}

/* -- Options -- */

static bool is_loopback(const char *host)
{
    return strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0;
}

static Status check_file(const char *option, const char *path, Message *why)
{
    if (!path || access(path, R_OK) == 0)
        return STATUS_OK;
    return status_fail(why, STATUS_IO, "%s: %s: %s", option, path, strerror(errno));
}

Status server_check(const ServerOptions *o, Message *why)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, o->host, bytes) != 1 && inet_pton(AF_INET6, o->host, bytes) != 1)
        return status_fail(why, STATUS_INVALID, "--host: '%s' is not an address", o->host);
    if (!o->tls_cert != !o->tls_key)
        return status_fail(why, STATUS_INVALID, "--tls-cert and --tls-key must be given together");
    if (!is_loopback(o->host) && (!o->password || !o->password[0]))
        return status_fail(why, STATUS_REFUSED,
                           "--host %s can be reached from other machines and requires a password "
                           "(--password-file FILE)",
                           o->host);
    if (!is_loopback(o->host) && strlen(o->password) < SERVER_MIN_PASSWORD)
        return status_fail(why, STATUS_REFUSED,
                           "--host %s can be reached from other machines; the password must have "
                           "at least %d characters",
                           o->host, SERVER_MIN_PASSWORD);
    Status s = check_file("--tls-cert", o->tls_cert, why);
    return s == STATUS_OK ? check_file("--tls-key", o->tls_key, why) : s;
}

/* -- Opening -- */

/* The library takes the limit of open files for its own when it starts: what other files need is
 * added afterwards. As many sockets as the system allows, up to MAX_SOCKETS. */
static int limit_sockets(void)
{
    struct rlimit files = {1024, 1024};
    getrlimit(RLIMIT_NOFILE, &files);
    rlim_t most = files.rlim_max > 2 * OTHER_FILES ? files.rlim_max - OTHER_FILES : OTHER_FILES;
    files.rlim_cur = most < MAX_SOCKETS ? most : MAX_SOCKETS;
    setrlimit(RLIMIT_NOFILE, &files);
    return (int)files.rlim_cur;
}

static void allow_other_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur += OTHER_FILES;
    setrlimit(RLIMIT_NOFILE, &files);
}

static Status create_context(Server *s, Message *why)
{
    int silence = s->options->silence_s ? s->options->silence_s : SILENCE_SECONDS;
    s->keepalive =
        (lws_retry_bo_t){.secs_since_valid_ping =
                             (uint16_t)(silence > 2 * PING_SECONDS ? PING_SECONDS : silence / 2),
                         .secs_since_valid_hangup = (uint16_t)silence};
    struct lws_context_creation_info info = {
        .options =
            LWS_SERVER_OPTION_EXPLICIT_VHOSTS | (s->tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
        .port = CONTEXT_PORT_NO_LISTEN,
        .user = s,
        .gid = -1,
        .uid = -1,
        .timeout_secs = HEAD_SECONDS,
        .max_http_header_data = HEADER_BYTES,
        .max_http_header_pool = HEADERS_AT_ONCE,
        .pt_serv_buf_size = PIECE_BYTES,
        .retry_and_idle_policy = &s->keepalive};
    s->context = lws_create_context(&info);
    allow_other_files();
    return s->context ? STATUS_OK
                      : status_fail(why, STATUS_MEMORY, "libwebsockets could not be started");
}

static Status create_vhost(Server *s, Message *why)
{
    static const struct lws_protocols protocols[] = {
        {"http", on_event, sizeof(ServerPeer), PIECE_BYTES, 0, NULL, 0}, {0}};
    struct lws_context_creation_info info = {
        .options =
            (s->tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0) | LWS_SERVER_OPTION_VALIDATE_UTF8,
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .vhost_name = "castellan",
        .keepalive_timeout = IDLE_SECONDS,
        .timeout_secs_ah_idle = HEAD_SECONDS,
        .retry_and_idle_policy = &s->keepalive,
        .alpn = "http/1.1",
        .ssl_cert_filepath = s->options->tls_cert,
        .ssl_private_key_filepath = s->options->tls_key};
    s->vhost = lws_create_vhost(s->context, &info);
    if (s->vhost)
        return STATUS_OK;
    return s->tls ? status_fail(why, STATUS_REFUSED, "the certificate or its key is not valid")
                  : status_fail(why, STATUS_MEMORY, "libwebsockets could not be started");
}

static Status open_parts(Server *s, Message *why)
{
    Status status = assets_open(&s->assets, why);
    if (status == STATUS_OK)
        status = sessions_open(&s->sessions, s->options->password, why);
    if (status == STATUS_OK)
        status = listener_open(s, limit_sockets(), why);
    if (status == STATUS_OK)
        status = create_context(s, why);
    if (status == STATUS_OK)
        status = create_vhost(s, why);
    if (status == STATUS_OK)
        status = listener_start(s->listener, why);
    return status == STATUS_OK ? thread_start(&s->loop, loop_main, s, LOOP_STACK, why) : status;
}

static void close_parts(Server *s)
{
    if (s->context)
        lws_context_destroy(s->context);
    listener_close(s->listener);
    sessions_close(s->sessions);
    mutex_free(&s->lock);
    free(s);
}

Status server_open(Server **out, const ServerOptions *options, const ServerHandler *handler,
                   Message *why)
{
    Server *s = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the server");
    s->options = options;
    s->handler = *handler;
    s->tls = options->tls_cert != NULL;
    mutex_init(&s->lock);
    lws_set_log_level(0, NULL); /* it would print */
    Status status = open_parts(s, why);
    return GIVE_OR_CLOSE(status, out, s, close_parts);
}

void server_close(Server *s)
{
    if (!s)
        return;
    atomic_store(&s->quit, true);
    lws_cancel_service(s->context);
    thread_join(s->loop);
    close_parts(s);
}

void server_url(const Server *s, char url[SERVER_URL_SIZE])
{
    const char *host = s->options->host;
    if (strcmp(host, "0.0.0.0") == 0)
        host = "127.0.0.1";
    else if (strcmp(host, "::") == 0)
        host = "::1";
    bool six = strchr(host, ':') != NULL;
    snprintf(url, SERVER_URL_SIZE, "%s://%s%s%s:%d/", s->tls ? "https" : "http", six ? "[" : "",
             host, six ? "]" : "", s->port);
}
