#include "service/client_int.h"

#include "base/clock.h"
#include "notation/json_value.h"
#include "service/study/study_int.h"
#include "service/sync_int.h"

#include <stdlib.h>
#include <string.h>

enum { BURST = 60, PER_SECOND = 20 };

/* -- Coming and going -- */

ServiceClient *service_connect(Service *s, ServiceSend *send, void *connection)
{
    Client *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (Client){.service = s,
                  .send = send,
                  .connection = connection,
                  .allowance = BURST,
                  .allowance_at = clock_now_ms()};
    mutex_lock(&s->lock);
    c->serial = ++s->client_serial;
    c->next = s->clients;
    s->clients = c;
    mutex_unlock(&s->lock);
    return c;
}

void service_disconnect(ServiceClient *c)
{
    Service *s = c->service;
    mutex_lock(&s->lock);
    for (Client **at = &s->clients; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    analysis_end(s, c);
    mutex_unlock(&s->lock);
    sync_forget(s->sync, c);
    free(c);
    atomic_store(&s->freed, true);
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
    if (c->watched_count == CLIENT_MAX_WATCHED)
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

bool client_any_watches(const Service *service, int64_t game)
{
    for (const Client *c = service->clients; c; c = c->next)
        if (client_watches(c, game))
            return true;
    return false;
}

/* -- Sending -- */

static void send_value(Client *c, json_t *message)
{
    char *text = value_dump(message);
    json_decref(message);
    if (text)
        sync_send(c, text, strlen(text));
    free(text);
}

void client_answer(Client *c, int64_t id, json_t *data)
{
    json_t *message = json_pack("{s:I, s:b, s:o}", "id", (json_int_t)id, "ok", 1, "data", data);
    if (message)
        send_value(c, message);
    else
        client_refuse(c, id, "server", "not enough memory for the answer");
}

void client_refuse(Client *c, int64_t id, const char *code, const char *message)
{
    send_value(c, json_pack("{s:I, s:b, s:{s:s, s:o}}", "id", (json_int_t)id, "ok", 0, "error",
                            "code", code, "message", value_text(message)));
}

void client_event(Client *c, const char *event, json_t *data)
{
    send_value(c, json_pack("{s:s, s:o}", "event", event, "data", data));
}

void client_event_all(Service *service, const char *event, int64_t game, json_t *data)
{
    json_t *message = json_pack("{s:s, s:o}", "event", event, "data", data);
    char *text = value_dump(message);
    size_t len = text ? strlen(text) : 0;
    json_decref(message);
    for (Client *c = service->clients; c && text; c = c->next)
        if (!game || client_watches(c, game))
            sync_send(c, text, len);
    free(text);
}
