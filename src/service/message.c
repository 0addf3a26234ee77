#include "service/message_int.h"

#include <stdarg.h>
#include <stdio.h>
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

/* -- How a request ends -- */

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

bool request_refuse(Request *r, const char *code, const char *format, ...)
{
    char text[sizeof r->why.text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    status_fail(&r->why, STATUS_REFUSED, "%s", text);
    r->code = code;
    return false;
}

bool request_wrong(Request *r, const char *name)
{
    return request_refuse(r, "bad", "%s: %s", name,
                          json_object_get(r->root, name) ? "has a wrong type or value"
                                                         : "is missing");
}

bool request_illegal(Request *r, Span uci)
{
    char shown[16];
    span_show(uci, shown, sizeof shown);
    return request_refuse(r, "illegal", "%s is not a legal move", shown);
}

bool request_answer(Request *r, const char *key, json_t *value)
{
    json_object_set_new(r->data, key, value);
    return true;
}

/* -- Fields of a request -- */

bool request_int(Request *r, const char *name, int64_t min, int64_t max, int64_t *out)
{
    return member_int(r->root, name, min, max, out) || request_wrong(r, name);
}

bool request_id(Request *r, const char *name, int64_t *out)
{
    return request_int(r, name, 1, INT64_MAX, out);
}

bool request_text(Request *r, const char *name, Span *out)
{
    return member_text(r->root, name, out) || request_wrong(r, name);
}

const json_t *request_member(const Request *r, const char *name)
{
    const json_t *value = json_object_get(r->root, name);
    return json_is_null(value) ? NULL : value;
}

bool request_maybe_int(Request *r, const char *name, int64_t min, int64_t max, int64_t *out)
{
    return !request_member(r, name) || request_int(r, name, min, max, out);
}

bool request_maybe_text(Request *r, const char *name, Span *out)
{
    return !request_member(r, name) || request_text(r, name, out);
}

bool request_maybe_bool(Request *r, const char *name, bool *out)
{
    const json_t *value = request_member(r, name);
    if (value && !json_is_boolean(value))
        return request_wrong(r, name);
    if (value)
        *out = json_is_true(value);
    return true;
}

bool request_maybe_word(Request *r, const char *name, const char *const *words, int *out)
{
    Span word;
    if (!request_member(r, name))
        return true;
    *out = member_text(r->root, name, &word) ? word_index(word, words) : -1;
    return *out >= 0 || request_wrong(r, name);
}

static size_t characters(Span s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.at[i] & 0xC0) != 0x80;
    return n;
}

bool request_name(Request *r, Span *name)
{
    if (!request_text(r, "name", name))
        return false;
    *name = span_trim(*name);
    for (size_t i = 0; i < name->len; i++)
        if ((unsigned char)name->at[i] < 0x20)
            return request_wrong(r, "name");
    if (!name->len || characters(*name) > MAX_NAME)
        return request_refuse(r, "bad", "name: 1 to %d characters", MAX_NAME);
    return true;
}

/* -- Answers -- */

static const HandlerRow *find_handler(Span name)
{
    static const HandlerRow *const tables[] = {
        player_handlers, game_handlers,    list_handlers,   analysis_handlers, training_handlers,
        puzzle_handlers, opening_handlers, review_handlers, lab_handlers,      manage_handlers,
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const HandlerRow *row = tables[t]; row->name; row++)
            if (span_is(name, row->name))
                return row;
    return NULL;
}

/* Takes the data. */
static void answer(Client *c, Request *r, bool answered)
{
    if (answered) {
        client_answer(c, r->id, r->data);
        return;
    }
    json_decref(r->data);
    if (r->code)
        client_refuse(c, r->id, r->code, r->why.text);
}

/* -- Requests that a job answers -- */

static void take_request(RequestJob *job, Request *r)
{
    job->client = r->client->serial;
    job->request = *r;
    job->request.client = NULL;
}

void *request_job_new(Request *r, size_t size, int most)
{
    PoolCounts jobs = {0};
    pool_count(r->service->search_pool, &jobs);
    RequestJob *job = jobs.waiting < most ? calloc(1, size) : NULL;
    if (!job)
        request_refuse(r, "refused", "too many searches are waiting; try again later");
    return job;
}

bool request_job_start(Request *r, RequestJob *job)
{
    take_request(job, r);
    job->request.root = NULL;
    if (pool_add(r->service->search_pool, &job->job)) {
        r->data = NULL;
        return false;
    }
    free(job);
    return request_refuse(r, "refused", "too many searches are waiting; try again later");
}

void request_job_end(Service *service, RequestJob *job, bool answered)
{
    Client *c = client_find(service, job->client);
    if (c)
        answer(c, &job->request, answered);
    else
        json_decref(job->request.data);
    json_decref(job->request.root);
    free(job);
}

/* -- Long requests -- */

typedef struct LongRequest {
    RequestJob base;
    Handler *run;
    bool answered;
} LongRequest;

static void run_long(PoolWorker *w, PoolJob *job)
{
    LongRequest *l = (LongRequest *)job;
    Request *r = &l->base.request;
    r->store = pool_store(w, &r->why);
    if (atomic_load(&job->stop))
        request_refuse(r, "refused", "the server is shutting down");
    else
        l->answered = request_ok(r, r->store ? STATUS_OK : STATUS_IO) && l->run(r);
}

static void long_done(Service *service, PoolJob *job)
{
    LongRequest *l = (LongRequest *)job;
    Client *c = client_find(service, l->base.client);
    if (c)
        c->long_requests--;
    request_job_end(service, &l->base, l->answered);
}

/* Hands message and data over to the job. They are not shared: Jansson's reference counts do not
   order what one thread reads before another one frees. */
static bool begin_long(Request *r, Handler *run)
{
    Client *c = r->client;
    LongRequest *l = c->long_requests < MAX_LONG_REQUESTS ? calloc(1, sizeof *l) : NULL;
    if (l) {
        l->base.job = (PoolJob){.run = run_long, .done = long_done};
        l->run = run;
        take_request(&l->base, r);
        if (pool_add(r->service->request_pool, &l->base.job)) {
            c->long_requests++;
            r->root = r->data = NULL;
            return false;
        }
        free(l);
    }
    return request_refuse(r, "slow", "too many requests in progress; wait for their answers");
}

/* -- Messages -- */

/* Under Service.lock. */
static bool dispatch(Request *r)
{
    Span name;
    if (!member_int(r->root, "id", 0, INT64_C(1) << 53, &r->id) ||
        !member_text(r->root, "do", &name))
        return request_refuse(r, "bad", "a message needs an integer id and a string do");
    if (!client_may_ask(r->client))
        return request_refuse(r, "slow", "too many messages; wait a second");
    const HandlerRow *row = find_handler(name);
    if (!row)
        return request_refuse(r, "bad", "do: unknown request");
    return row->is_long ? begin_long(r, row->run) : row->run(r);
}

int service_message(ServiceClient *c, Span text)
{
    json_t *root = json_loadb(text.at, text.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    if (!root)
        return CLOSE_NOT_UNDERSTOOD;
    Service *s = c->service;
    mutex_lock(&s->lock);
    Request r = {.service = s,
                 .client = c,
                 .player = c->player,
                 .store = s->store,
                 .root = root,
                 .data = json_object()};
    answer(c, &r, dispatch(&r));
    mutex_unlock(&s->lock);
    json_decref(r.root);
    return 0;
}
