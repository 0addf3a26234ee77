/* Messages of the page: their fields, and the handlers that answer them. */
#ifndef SERVICE_MESSAGE_INT_H
#define SERVICE_MESSAGE_INT_H

#include "service/client_int.h"

typedef struct Request {
    Client *client; /* NULL in a long request: it may be gone */
    int64_t player; /* the one the client has chosen */
    Store *store;
    json_t *root;
    int64_t id;
    const char *code; /* of the error, when the status alone does not say it */
} Request;

/* Adds the members of the answer's data. STATUS_END: the answer comes later. */
typedef Status Handler(Service *service, Request *r, json_t *data, Message *why);

typedef struct HandlerRow {
    const char *name;
    Handler *run;
    /* May take long: runs in a pool, without Service.lock and with a store of its own, so that
     * nobody waits. */
    bool is_long;
} HandlerRow;

/* The tables of the handlers; each ends with a row without a name. */
extern const HandlerRow player_handlers[], game_handlers[], list_handlers[], analysis_handlers[],
    training_handlers[], puzzle_handlers[], opening_handlers[], review_handlers[], lab_handlers[],
    manage_handlers[], load_handlers[];

/* Fields of a request. The message names the field. */
Status request_int(const Request *r, const char *name, int64_t min, int64_t max, int64_t *out,
                   Message *why);
Status request_text(const Request *r, const char *name, Span *out, Message *why);
Status request_wrong(const Request *r, const char *name, Message *why);
/* Optional ones: *out stays as it is when they are absent or null. */
Status request_maybe_int(const Request *r, const char *name, int64_t min, int64_t max, int64_t *out,
                         Message *why);
Status request_maybe_text(const Request *r, const char *name, Span *out, Message *why);
Status request_maybe_bool(const Request *r, const char *name, bool *out, Message *why);
const json_t *request_member(const Request *r, const char *name); /* NULL: absent or null */

/* The field `name`, a person's: 1 to 40 characters, without control characters. */
Status request_name(const Request *r, Span *name, Message *why);

/* A member of any object; false when it is missing, of another type, or out of range. */
bool member_int(const json_t *object, const char *name, int64_t min, int64_t max, int64_t *out);
bool member_text(const json_t *object, const char *name, Span *out);

/* The index of the word in a list that ends with NULL; -1: none of them. */
int word_index(Span word, const char *const *words);

/* The error code of a status. */
const char *message_code(Status s);

#endif
