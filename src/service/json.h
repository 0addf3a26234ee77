/* JSON: a strict reader for what comes from the page, and a writer for what goes to it.
 *
 * Read as RFC 8259 has it and nothing besides: well-formed UTF-8, no control characters in strings,
 * no lone surrogates. Refused on purpose: a name twice in one object, more than JSON_MAX_NAMES names in
 * one, the character zero, more than JSON_MAX_DEPTH levels or JSON_MAX_NODES values. */
#ifndef SERVICE_JSON_H
#define SERVICE_JSON_H

#include "base/status.h"
#include "base/text.h"

enum { JSON_MAX_DEPTH = 16, JSON_MAX_NODES = 20000, JSON_MAX_NAMES = 64 };

typedef enum JsonKind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} JsonKind;

typedef struct JsonNode {
    JsonKind kind;
    bool truth; /* of a bool */
    Span text;  /* a string's text in UTF-8 without escapes; a number as it was written */
    Span name;  /* in an object; len 0 and at NULL elsewhere */
    int after;  /* index of the node behind this one and everything in it */
} JsonNode;

typedef struct Json {
    JsonNode *nodes; /* parents before their children; [0] is the whole */
    int count, room;
    char *strings; /* where the texts lie */
} Json;

/* On failure there is nothing to free. The text may go away afterwards. */
Status json_read(Json *j, Span text, Message *why);
void json_free(Json *j);

/* A member of an object, or NULL: also when `object` is NULL or no object. */
const JsonNode *json_get(const Json *j, const JsonNode *object, const char *name);

/* for (const JsonNode *n = json_first(j, list); n; n = json_next(j, list, n)) */
const JsonNode *json_first(const Json *j, const JsonNode *parent);
const JsonNode *json_next(const Json *j, const JsonNode *parent, const JsonNode *child);

/* False when the node is NULL, of another kind, or out of range; a number must be whole. */
bool json_int(const JsonNode *n, int64_t min, int64_t max, int64_t *out);
bool json_string(const JsonNode *n, Span *out);
bool json_bool(const JsonNode *n, bool *out);

/* -- Writing -- */

/* Adds to `out`, with commas where they belong. `name` is NULL inside an array and at the top. Text
 * that is no UTF-8 is read as Latin-1. */
void json_open(Text *out, const char *name, char bracket); /* '{' or '[' */
void json_close(Text *out, char bracket);                  /* '}' or ']' */
void json_put_null(Text *out, const char *name);
void json_put_bool(Text *out, const char *name, bool value);
void json_put_int(Text *out, const char *name, int64_t value);
void json_put_tenths(Text *out, const char *name, double value); /* rounded to one decimal */
void json_put_span(Text *out, const char *name, Span value);
void json_put_str(Text *out, const char *name, const char *value); /* NULL: null */
void json_put_raw(Text *out, const char *name, Span json);         /* JSON already */

#endif
