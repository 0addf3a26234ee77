/* Messages of the page: their fields, and the handlers that answer them. */
#ifndef SERVICE_MESSAGE_INT_H
#define SERVICE_MESSAGE_INT_H

#include "service/client_int.h"
#include "service/pool_int.h"

typedef struct Request {
    Service *service;
    Client *client; /* NULL in a long request: it may be gone */
    int64_t player; /* the one the client has chosen */
    Store *store;
    json_t *root;
    int64_t id;
    json_t *data;     /* of the answer: an object that gets its members */
    const char *code; /* why there is none, with the message; NULL: nothing is wrong */
    Message why;
} Request;

/* False: the request is refused, or without a code, the answer comes later. All functions that take
 * a request and return a truth value mean it so, and leave code and message in the request. */
typedef bool Handler(Request *r);

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
    manage_handlers[];

/* Takes what a function of another kind returned; its message is r->why. */
const char *message_code(Status s);
static inline bool request_ok(Request *r, Status s)
{
    if (s != STATUS_OK)
        r->code = message_code(s);
    return s == STATUS_OK;
}

bool request_refuse(Request *r, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool request_wrong(Request *r, const char *name);                /* the field */
bool request_illegal(Request *r, Span uci);                      /* the move */
bool request_answer(Request *r, const char *key, json_t *value); /* adds a member; true */

/* Fields of a request. The message names the field. */
bool request_int(Request *r, const char *name, int64_t min, int64_t max, int64_t *out);
bool request_id(Request *r, const char *name, int64_t *out); /* from 1 on */
bool request_text(Request *r, const char *name, Span *out);
bool request_name(Request *r, Span *out); /* "name", a person's: 1 to 40 characters */
/* Optional ones: *out stays as it is when they are absent or null. */
bool request_maybe_int(Request *r, const char *name, int64_t min, int64_t max, int64_t *out);
bool request_maybe_text(Request *r, const char *name, Span *out);
bool request_maybe_bool(Request *r, const char *name, bool *out);
/* The index of one of the words, whose list ends with NULL. */
bool request_maybe_word(Request *r, const char *name, const char *const *words, int *out);
const json_t *request_member(const Request *r, const char *name); /* NULL: absent or null */

/* A member of any object; false when it is missing, of another type, or out of range. */
bool member_int(const json_t *object, const char *name, int64_t min, int64_t max, int64_t *out);
bool member_text(const json_t *object, const char *name, Span *out);

/* The index of the word in a list that ends with NULL; -1: none of them. */
int word_index(Span word, const char *const *words);

/* A request that a job answers: what the job needs besides follows in a struct of its own. */
typedef struct RequestJob {
    PoolJob job;
    int64_t client;
    Request request; /* without its client */
} RequestJob;

/* A job of `size` bytes for the search pool, with zeros behind the RequestJob; NULL when `most` are
 * waiting already. It takes the request's data when it is started. */
void *request_job_new(Request *r, size_t size, int most);
bool request_job_start(Request *r, RequestJob *job);
/* The last thing in the job's `done`. */
void request_job_end(Service *service, RequestJob *job, bool answered);

#endif
