/* A client is one WebSocket. Two threads belong to it: civetweb's, which reads and handles its
 * messages (frame.c), and one of our own that empties its outbox, so that a client who does not read holds up
 * nobody but itself. */
#include "service/service_int.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    WRITER_STACK = 128 << 10,
    RING = 256,         /* messages that may wait; as in struct Client */
    FAREWELL_MS = 3000, /* what waits may still go out when a connection ends in order */
    BURST = 60,
    PER_SECOND = 20
};

/* -- The outbox -- */

static char *take_first(Client *c, size_t *len)
{
    char *bytes = c->out[c->out_first];
    *len = c->out_len[c->out_first];
    c->out_first = (c->out_first + 1) % RING;
    c->out_count--;
    c->out_bytes -= *len;
    return bytes;
}

/* The three below: under the client's lock, which is let go while the network is at work. */
static void write_first(Client *c)
{
    size_t len;
    int64_t after = c->out_after[c->out_first];
    char *bytes = take_first(c, &len);
    mutex_unlock(&c->lock);
    bool sent =
        syncer_await(c->service->syncer, after) && server_write(c->link, OPCODE_TEXT, bytes, len);
    free(bytes);
    mutex_lock(&c->lock);
    c->dead |= !sent;
}

static void write_pong(Client *c)
{
    char bytes[sizeof c->pong];
    size_t len = (size_t)c->pong_len;
    memcpy(bytes, c->pong, len);
    c->pong_len = -1;
    mutex_unlock(&c->lock);
    bool sent = server_write(c->link, OPCODE_PONG, bytes, len);
    mutex_lock(&c->lock);
    c->dead |= !sent;
}

static void write_ping(Client *c)
{
    c->wants_ping = false;
    mutex_unlock(&c->lock);
    bool sent = server_write(c->link, OPCODE_PING, NULL, 0);
    mutex_lock(&c->lock);
    c->dead |= !sent;
}

static void write_out(Client *c)
{
    mutex_lock(&c->lock);
    while (!c->dead && (c->out_count || !c->ending)) {
        if (c->out_count)
            write_first(c);
        else if (c->pong_len >= 0)
            write_pong(c);
        else if (c->wants_ping)
            write_ping(c);
        else
            condition_wait(&c->changed, &c->lock);
    }
    bool dead = c->dead;
    mutex_unlock(&c->lock);
    if (!dead && c->close_code) { /* whose thread is done with it unless the client is dead */
        char code[2] = {(char)(c->close_code >> 8), (char)c->close_code};
        server_write(c->link, OPCODE_CLOSE, code, sizeof code);
    }
}

static void *writer_main(void *arg)
{
    Client *c = arg;
    write_out(c);
    mutex_lock(&c->lock);
    c->written = true;
    condition_signal_all(&c->changed);
    mutex_unlock(&c->lock);
    return NULL;
}

void client_send(Client *c, const Text *message)
{
    char *copy = message->failed ? NULL : malloc(message->len + 1);
    int64_t changes = store_changes(c->service->store);
    syncer_want(c->service->syncer, changes);
    mutex_lock(&c->lock);
    if (!copy || c->out_count == RING || c->out_bytes + message->len > WEB_OUTBOX_BYTES)
        c->dead = true; /* it would miss something: let it come back and ask anew */
    if (c->dead || c->ending) {
        free(copy);
    } else {
        memcpy(copy, message->at, message->len);
        int at = (c->out_first + c->out_count++) % RING;
        c->out[at] = copy;
        c->out_len[at] = message->len;
        c->out_after[at] = changes;
        c->out_bytes += message->len;
    }
    condition_signal_all(&c->changed);
    mutex_unlock(&c->lock);
}

void client_give_up(Client *c)
{
    mutex_lock(&c->lock);
    c->dead = true;
    condition_signal_all(&c->changed);
    mutex_unlock(&c->lock);
}

/* A client that was given up, because it does not read, is closed. */
bool client_given_up(Client *c)
{
    mutex_lock(&c->lock);
    bool dead = c->dead;
    mutex_unlock(&c->lock);
    return dead;
}

void client_ping(Client *c)
{
    mutex_lock(&c->lock);
    c->wants_ping = true;
    condition_signal_all(&c->changed);
    mutex_unlock(&c->lock);
}

void client_pong(Client *c, const unsigned char *bytes, size_t len)
{
    mutex_lock(&c->lock);
    memcpy(c->pong, bytes, len);
    c->pong_len = (int)len;
    condition_signal_all(&c->changed);
    mutex_unlock(&c->lock);
}

/* -- Coming and going -- */

static void enlist(Client *c)
{
    Service *service = c->service;
    mutex_lock(&service->lock);
    c->serial = ++service->client_serial;
    if (service->closing)
        shutdown(c->socket, SHUT_RD);
    c->next = service->clients;
    service->clients = c;
    mutex_unlock(&service->lock);
}

static void discharge(Client *c)
{
    Service *service = c->service;
    mutex_lock(&service->lock);
    for (Client **at = &service->clients; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    analysis_end(service, c);
    mutex_unlock(&service->lock);
}

Status client_open(Client **out, Service *service, void *link, int socket, Message *why)
{
    Client *c = calloc(1, sizeof *c);
    if (!c)
        return status_fail(why, STATUS_MEMORY, "no memory for a connection");
    c->service = service;
    c->link = link;
    c->socket = socket;
    c->pong_len = -1;
    c->allowance = BURST;
    c->allowance_at = clock_now_ms();
    text_init(&c->partial);
    mutex_init(&c->lock);
    condition_init(&c->changed);
    Status s = thread_start(&c->writer, writer_main, c, WRITER_STACK, why);
    if (s != STATUS_OK) {
        condition_free(&c->changed);
        mutex_free(&c->lock);
        text_free(&c->partial);
        free(c);
        return s;
    }
    enlist(c);
    *out = c;
    return STATUS_OK;
}

/* Whoever reads a little now and then could hold the thread for hours over what waits. */
static void end_writer(Client *c)
{
    int64_t left, until = clock_now_ms() + FAREWELL_MS;
    mutex_lock(&c->lock);
    c->ending = true;
    condition_signal_all(&c->changed);
    while (!c->written && !c->dead && (left = until - clock_now_ms()) > 0)
        condition_wait_ms(&c->changed, &c->lock, (long)left);
    bool written = c->written;
    mutex_unlock(&c->lock);
    if (!written)
        shutdown(c->socket, SHUT_RDWR);
    thread_join(c->writer);
}

void client_close(Client *c)
{
    discharge(c);
    end_writer(c);
    size_t len;
    while (c->out_count)
        free(take_first(c, &len));
    condition_free(&c->changed);
    mutex_free(&c->lock);
    text_free(&c->partial);
    free(c);
}

void client_end_all(Service *service)
{
    for (const Client *c = service->clients; c; c = c->next)
        shutdown(c->socket, SHUT_RD);
}

Client *client_find(Service *service, int64_t serial)
{
    for (Client *c = service->clients; c; c = c->next)
        if (c->serial == serial)
            return c;
    return NULL;
}

/* A bucket that fills by PER_SECOND and holds BURST. */
bool client_may_ask(Client *c)
{
    int64_t now = clock_now_ms();
    c->allowance += (double)(now - c->allowance_at) * PER_SECOND / 1000;
    c->allowance_at = now;
    if (c->allowance > BURST)
        c->allowance = BURST;
    if (c->allowance < 1)
        return false;
    c->allowance -= 1;
    return true;
}

/* -- Subscriptions -- */

bool client_watches(const Client *c, int64_t game)
{
    for (int i = 0; i < c->watched_count; i++)
        if (c->watched[i] == game)
            return true;
    return false;
}

void client_watch(Client *c, int64_t game)
{
    client_unwatch(c, game);
    if (c->watched_count == WEB_MAX_WATCHED)
        client_unwatch(c, c->watched[0]);
    c->watched[c->watched_count++] = game;
}

void client_unwatch(Client *c, int64_t game)
{
    int kept = 0;
    for (int i = 0; i < c->watched_count; i++)
        if (c->watched[i] != game)
            c->watched[kept++] = c->watched[i];
    c->watched_count = kept;
}

bool web_is_watched(const Service *service, int64_t game)
{
    for (const Client *c = service->clients; c; c = c->next)
        if (client_watches(c, game))
            return true;
    return false;
}

/* -- Messages -- */

void client_answer(Client *c, int64_t id, const Text *members)
{
    Text t;
    text_init(&t);
    json_open(&t, NULL, '{');
    json_put_int(&t, "id", id);
    json_put_bool(&t, "ok", true);
    json_open(&t, "data", '{');
    text_add(&t, members->at, members->len);
    json_close(&t, '}');
    json_close(&t, '}');
    t.failed |= members->failed;
    client_send(c, &t);
    text_free(&t);
}

void client_refuse(Client *c, int64_t id, const char *code, const char *message)
{
    Text t;
    text_init(&t);
    json_open(&t, NULL, '{');
    json_put_int(&t, "id", id);
    json_put_bool(&t, "ok", false);
    json_open(&t, "error", '{');
    json_put_str(&t, "code", code);
    json_put_str(&t, "message", message);
    json_close(&t, '}');
    json_close(&t, '}');
    client_send(c, &t);
    text_free(&t);
}

void web_tell(Service *service, const char *event, int64_t game, const Client *except,
              const Text *object)
{
    Text t;
    text_init(&t);
    json_open(&t, NULL, '{');
    json_put_str(&t, "event", event);
    json_put_raw(&t, "data", (Span){object->at, object->len});
    json_close(&t, '}');
    t.failed |= object->failed;
    for (Client *c = service->clients; c; c = c->next)
        if (c != except && (!game || client_watches(c, game)))
            client_send(c, &t);
    text_free(&t);
}
