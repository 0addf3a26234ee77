#include "service/message_int.h"

#include "service/pool_int.h"

#include <stdlib.h>

enum {
    CLOSE_NOT_UNDERSTOOD = 1007,
    MAX_LONG_REQUESTS = 4, /* of one client at a time */
    MAX_NAME = 40
};

/* -- Fields -- */

bool member_int(const json_t *object, const char *name, int64_t min, int64_t max, int64_t *out)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max)
        return false;
    *out = json_integer_value(value);
    return true;
}

bool member_text(const json_t *object, const char *name, Span *out)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_string(value))
        return false;
    *out = (Span){json_string_value(value), json_string_length(value)};
    return true;
}

int word_index(Span word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (span_is(word, words[i]))
            return i;
    return -1;
}

Status request_wrong(const Request *r, const char *name, Message *why)
{
    return status_fail(why, STATUS_INVALID, "%s: %s", name,
                       json_object_get(r->root, name) ? "has a wrong type or value" : "is missing");
}

Status request_int(const Request *r, const char *name, int64_t min, int64_t max, int64_t *out,
                   Message *why)
{
    return member_int(r->root, name, min, max, out) ? STATUS_OK : request_wrong(r, name, why);
}

Status request_text(const Request *r, const char *name, Span *out, Message *why)
{
    return member_text(r->root, name, out) ? STATUS_OK : request_wrong(r, name, why);
}

const json_t *request_member(const Request *r, const char *name)
{
    const json_t *value = json_object_get(r->root, name);
    return json_is_null(value) ? NULL : value;
}

Status request_maybe_int(const Request *r, const char *name, int64_t min, int64_t max, int64_t *out,
                         Message *why)
{
    return !request_member(r, name) ? STATUS_OK : request_int(r, name, min, max, out, why);
}

Status request_maybe_text(const Request *r, const char *name, Span *out, Message *why)
{
    return !request_member(r, name) ? STATUS_OK : request_text(r, name, out, why);
}

Status request_maybe_bool(const Request *r, const char *name, bool *out, Message *why)
{
    const json_t *value = request_member(r, name);
    if (!value)
        return STATUS_OK;
    if (!json_is_boolean(value))
        return request_wrong(r, name, why);
    *out = json_is_true(value);
    return STATUS_OK;
}

static size_t characters(Span s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.at[i] & 0xC0) != 0x80;
    return n;
}

Status request_name(const Request *r, Span *name, Message *why)
{
    Status s = request_text(r, "name", name, why);
    if (s != STATUS_OK)
        return s;
    *name = span_trim(*name);
    for (size_t i = 0; i < name->len; i++)
        if ((unsigned char)name->at[i] < 0x20)
            return request_wrong(r, "name", why);
    if (!name->len || characters(*name) > MAX_NAME)
        return status_fail(why, STATUS_INVALID, "name: 1 to %d characters", MAX_NAME);
    return STATUS_OK;
}

/* -- Answers -- */

const char *message_code(Status s)
{
    switch (s) {
    case STATUS_INVALID:
        return "bad";
    case STATUS_MISSING:
        return "missing";
    case STATUS_REFUSED:
    case STATUS_STOPPED:
        return "refused";
    default:
        return "server";
    }
}

static const HandlerRow *find_handler(Span name)
{
    static const HandlerRow *const tables[] = {
        player_handlers,   game_handlers,   list_handlers,    analysis_handlers,
        training_handlers, puzzle_handlers, opening_handlers, review_handlers,
        lab_handlers,      manage_handlers, load_handlers,
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const HandlerRow *row = tables[t]; row->name; row++)
            if (span_is(name, row->name))
                return row;
    return NULL;
}

/* Takes the data. */
static void answer(Client *c, const Request *r, Status s, json_t *data, const Message *why)
{
    if (s == STATUS_OK) {
        client_answer(c, r->id, data);
        return;
    }
    json_decref(data);
    if (s != STATUS_END)
        client_refuse(c, r->id, r->code ? r->code : message_code(s), why->text);
}

static void handle(Client *c, Request *r, Handler *run)
{
    Message why = {""};
    json_t *data = json_object();
    Status s = run(c->service, r, data, &why);
    answer(c, r, s, data, &why);
}

/* -- Long requests -- */

typedef struct LongRequest {
    PoolJob job;
    int64_t client;
    Handler *run;
    Request request;
    json_t *data;
    Status status;
    Message why;
} LongRequest;

static void run_long(PoolWorker *w, PoolJob *job)
{
    LongRequest *l = (LongRequest *)job;
    l->request.store = pool_store(w, &l->why);
    l->data = json_object();
    l->status = atomic_load(&job->stop)
                    ? status_fail(&l->why, STATUS_STOPPED, "the server is shutting down")
                : l->request.store ? l->run(pool_service(w), &l->request, l->data, &l->why)
                                   : STATUS_IO;
}

static void long_done(Service *service, PoolJob *job)
{
    LongRequest *l = (LongRequest *)job;
    Client *c = client_find(service, l->client);
    if (c) {
        c->long_requests--;
        answer(c, &l->request, l->status, l->data, &l->why);
    } else {
        json_decref(l->data);
    }
    json_decref(l->request.root);
    free(l);
}

/* Whether the job took the message. It is handed over, not shared: Jansson's reference counts do
   not order what one thread reads before another one frees. */
static bool begin_long(Client *c, const Request *r, Handler *run)
{
    LongRequest *l = c->long_requests < MAX_LONG_REQUESTS ? calloc(1, sizeof *l) : NULL;
    if (l) {
        *l = (LongRequest){.job = {.run = run_long, .done = long_done},
                           .client = c->serial,
                           .run = run,
                           .request = *r};
        l->request.client = NULL;
        if (pool_add(c->service->request_pool, &l->job)) {
            c->long_requests++;
            return true;
        }
        free(l);
    }
    client_refuse(c, r->id, "slow", "too many requests in progress; wait for their answers");
    return false;
}

/* -- Messages -- */

/* Under Service.lock. Whether a long request took the message. */
static bool dispatch(Client *c, json_t *root)
{
    Span name;
    Request r = {.client = c, .player = c->player, .store = c->service->store, .root = root};
    bool has_id = member_int(root, "id", 0, INT64_C(1) << 53, &r.id);
    if (!has_id || !member_text(root, "do", &name)) {
        client_refuse(c, r.id, "bad", "a message needs an integer id and a string do");
        return false;
    }
    if (!client_may_ask(c)) {
        client_refuse(c, r.id, "slow", "too many messages; wait a second");
        return false;
    }
    const HandlerRow *row = find_handler(name);
    if (row && row->is_long)
        return begin_long(c, &r, row->run);
    if (row)
        handle(c, &r, row->run);
    else
        client_refuse(c, r.id, "bad", "do: unknown request");
    return false;
}

int service_message(ServiceClient *c, Span text)
{
    json_t *root = json_loadb(text.at, text.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    if (!root)
        return CLOSE_NOT_UNDERSTOOD;
    mutex_lock(&c->service->lock);
    bool taken = dispatch(c, root);
    mutex_unlock(&c->service->lock);
    if (!taken)
        json_decref(root);
    return 0;
}
