#include "app/web_run.h"

#include "base/memory.h"

#include <string.h>

/* -- What the server passes on -- */

static void send_text(void *connection, const char *text, size_t len)
{
    server_send(connection, text, len);
}

static void *open_client(void *user, ServerConnection *c)
{
    return service_connect(user, send_text, c);
}

static int take_message(void *user UNUSED, void *client, Span text)
{
    return service_message(client, text);
}

static void close_client(void *user UNUSED, void *client)
{
    service_disconnect(client);
}

static void reply(void *user, int status, const char *type, const char *file, Text *body)
{
    server_answer(user, status, type, file, body);
}

static int64_t id_argument(const ServerRequest *r, const char *name)
{
    char text[32];
    int64_t id;
    return server_request_argument(r, name, text, sizeof text) &&
                   span_to_int64(span_of(text), 1, INT64_MAX, &id)
               ? id
               : 0;
}

static void export_pgn(Service *service, ServerRequest *r)
{
    ServiceExport what = {.game = id_argument(r, "game"), .player = id_argument(r, "player")};
    server_request_argument(r, "search", what.search, sizeof what.search);
    server_request_argument(r, "color", what.color, sizeof what.color);
    server_request_argument(r, "result", what.result, sizeof what.result);
    service_export(service, &what, reply, r);
}

static void take_request(void *user, ServerRequest *r)
{
    const char *path = server_request_path(r);
    bool is_post = server_request_is_post(r);
    int64_t player = id_argument(r, "player");
    if (!is_post && strcmp(path, "/api/pgn") == 0)
        export_pgn(user, r);
    else if (!is_post || strcmp(path, "/api/import") != 0)
        server_refuse(r, 404, "no such request");
    else if (!player)
        server_refuse(r, 400, "player is missing");
    else
        service_import(user, player, id_argument(r, "skip_known") != 0, server_request_body(r),
                       reply, r);
}

/* -- Running -- */

static Status serve(Service *service, const WebOptions *o, Message *why)
{
    Server *server;
    char url[SERVER_URL_SIZE];
    ServerHandler handler = {.user = service,
                             .open = open_client,
                             .message = take_message,
                             .close = close_client,
                             .request = take_request};
    Status s = server_open(&server, &o->server, &handler, why);
    if (s == STATUS_OK) {
        server_url(server, url);
        o->ready(o->user, url);
        while (s == STATUS_OK && !o->stop(o->user))
            s = service_run_once(service, why);
    } else {
        server = NULL;
    }
    service_stop(service); /* first: what is worked on still gets its reply */
    server_close(server);
    return s;
}

Status web_run(const WebOptions *options, Message *why)
{
    Service *service;
    *why = (Message){""};
    memory_return_early();
    Status s = server_check(&options->server, why);
    if (s == STATUS_OK)
        s = service_open(&service, &options->service, why);
    if (s != STATUS_OK)
        return s;
    if (why->text[0] && options->note) {
        options->note(options->user, why->text);
        options->note(options->user, "games can be read, but nothing can be played or stored");
    }
    if (service_tables(service)[0] && options->note)
        options->note(options->user, service_tables(service));
    s = serve(service, options, why);
    service_close(service);
    return s;
}
