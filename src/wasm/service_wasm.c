/* The service as a WebAssembly module: what the server does with sockets is done with messages to
 * and from JavaScript (web/src/site/worker.ts). The game files are in /data, which JavaScript has
 * mounted. */
#include "chess/attacks.h"
#include "service/service.h"
#include "wasm/host.h"
#include "wasm/inbox.h"

#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 1 << 20 };
enum { MESSAGE, IMPORT, EXPORT }; /* kinds of letters */

struct ServiceModule {
    Inbox inbox;
    ServiceOptions options;
    Service *service;
    ServiceClient *client;
    Thread messages, clocks;
};

/* A request that is being worked on, with the letter that holds its text. */
typedef struct Request {
    int id;
    Letter *letter;
} Request;

static void send_text(void *connection, const char *text, size_t len)
{
    (void)connection;
    host_text(text, len);
}

static void reply(void *user, int status, const char *type, const char *file, Text *body)
{
    Request *r = user;
    host_reply(r->id, status, type, file ? file : "", body->at ? body->at : "", body->len);
    text_free(body);
    free(r->letter);
    free(r);
}

/* -- Requests: the first line is numbers, the id first -- */

static int64_t next_number(Span *line)
{
    Span word;
    int64_t number = 0;
    if (span_next_word(line, &word))
        span_to_int64(word, 0, INT64_MAX, &number);
    return number;
}

static void take_field(Span *rest, char *out, size_t size)
{
    Span line;
    if (span_next_line(rest, &line) && line.len < size) {
        memcpy(out, line.at, line.len);
        out[line.len] = '\0';
    }
}

static void take_request(ServiceModule *m, Letter *letter)
{
    Span rest = {letter->text, letter->len}, line = {"", 0};
    Request *r = malloc(sizeof *r);
    if (!r) {
        free(letter);
        return;
    }
    span_next_line(&rest, &line);
    *r = (Request){(int)next_number(&line), letter};
    if (letter->kind == IMPORT) {
        int64_t player = next_number(&line);
        service_import(m->service, player, next_number(&line) != 0, rest, reply, r);
        return;
    }
    ServiceExport what = {.game = next_number(&line)};
    what.player = next_number(&line);
    take_field(&rest, what.search, sizeof what.search);
    take_field(&rest, what.color, sizeof what.color);
    take_field(&rest, what.result, sizeof what.result);
    service_export(m->service, &what, reply, r);
}

/* -- Threads -- */

static void *run_clocks(void *arg)
{
    ServiceModule *m = arg;
    Message why;
    while (service_run_once(m->service, &why) == STATUS_OK)
        ;
    host_failed(why.text);
    return NULL;
}

static Status open_service(ServiceModule *m, Message *why)
{
    Status s = service_open(&m->service, &m->options, why);
    if (s != STATUS_OK)
        return s;
    m->client = service_connect(m->service, send_text, NULL);
    if (!m->client)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the service");
    return thread_start(&m->clocks, run_clocks, m, STACK_BYTES, why);
}

static void *run_messages(void *arg)
{
    ServiceModule *m = arg;
    Message why = {""};
    if (open_service(m, &why) != STATUS_OK) {
        host_failed(why.text);
        return NULL;
    }
    host_ready(why.text);
    for (;;) {
        Letter *letter = inbox_take(&m->inbox);
        if (letter->kind == MESSAGE) {
            service_message(m->client, (Span){letter->text, letter->len});
            free(letter);
        } else {
            take_request(m, letter);
        }
    }
}

/* -- For JavaScript -- */

ServiceModule *service_module_open(void)
{
    Message why;
    ServiceModule *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    chess_init();
    m->options.data = "/data";
    inbox_init(&m->inbox);
    if (thread_start(&m->messages, run_messages, m, STACK_BYTES, &why) == STATUS_OK)
        return m;
    free(m);
    return NULL;
}

void service_module_send(ServiceModule *m, int kind, const char *text, size_t len)
{
    if (kind == MESSAGE || kind == IMPORT || kind == EXPORT)
        inbox_put(&m->inbox, kind, text, len);
}
