#include "service/service_int.h"

#include "base/clock.h"

#include <string.h>

enum { CLOSE_NOT_UNDERSTOOD = 1007 };

/* -- Fields -- */

Status request_wrong(const Request *r, const char *name, Message *why)
{
    bool is_there = json_get(r->json, r->root, name) != NULL;
    return status_fail(why, STATUS_INVALID, "%s: %s", name,
                       is_there ? "has a wrong type or value" : "is missing");
}

Status request_int(const Request *r, const char *name, int64_t min, int64_t max, int64_t *out,
                   Message *why)
{
    return json_int(json_get(r->json, r->root, name), min, max, out) ? STATUS_OK
                                                                     : request_wrong(r, name, why);
}

Status request_text(const Request *r, const char *name, Span *out, Message *why)
{
    return json_string(json_get(r->json, r->root, name), out) ? STATUS_OK
                                                              : request_wrong(r, name, why);
}

/* A field that is null is as good as absent. */
static const JsonNode *given(const Request *r, const char *name)
{
    const JsonNode *n = json_get(r->json, r->root, name);
    return n && n->kind != JSON_NULL ? n : NULL;
}

Status request_maybe_int(const Request *r, const char *name, int64_t min, int64_t max, int64_t *out,
                         Message *why)
{
    const JsonNode *n = given(r, name);
    return !n || json_int(n, min, max, out) ? STATUS_OK : request_wrong(r, name, why);
}

Status request_maybe_text(const Request *r, const char *name, Span *out, Message *why)
{
    const JsonNode *n = given(r, name);
    return !n || json_string(n, out) ? STATUS_OK : request_wrong(r, name, why);
}

Status request_maybe_bool(const Request *r, const char *name, bool *out, Message *why)
{
    const JsonNode *n = given(r, name);
    return !n || json_bool(n, out) ? STATUS_OK : request_wrong(r, name, why);
}

/* -- Answers -- */

static const char *code_of(Status s)
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

static Handler *find_handler(Span name)
{
    static const HandlerRow *const tables[] = {
        handlers_of_players,  handlers_of_games,   handlers_of_lists, handlers_of_analysis,
        handlers_of_training, handlers_of_reviews, handlers_of_lab,
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const HandlerRow *row = tables[t]; row->name; row++)
            if (span_is(name, row->name))
                return row->run;
    return NULL;
}

static void handle(Request *r, Span name)
{
    Message why = {""};
    Text data;
    text_init(&data);
    Handler *run = find_handler(name);
    Status s = run ? run(r->client->service, r, &data, &why)
                   : status_fail(&why, STATUS_INVALID, "do: there is no such request");
    if (s == STATUS_OK)
        client_answer(r->client, r->id, &data);
    else if (s != STATUS_END)
        client_refuse(r->client, r->id, r->code ? r->code : code_of(s), why.text);
    text_free(&data);
}

bool dispatch(Client *c, Span message)
{
    Json j;
    Message why;
    Span name;
    if (json_read(&j, message, &why) != STATUS_OK) {
        c->close_code = CLOSE_NOT_UNDERSTOOD;
        return false;
    }
    Request r = {.client = c, .json = &j, .root = j.nodes};
    bool has_id = json_int(json_get(&j, j.nodes, "id"), 0, INT64_C(1) << 53, &r.id);
    bool fine = has_id && json_string(json_get(&j, j.nodes, "do"), &name);
    if (!fine)
        client_refuse(c, r.id, "bad", "a message has an id, a whole number, and a do, a word");
    else if (!client_may_ask(c))
        client_refuse(c, r.id, "slow", "too many messages; wait a second");
    else
        handle(&r, name);
    json_free(&j);
    return true;
}
