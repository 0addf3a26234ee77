#include "service/json.h"

#include "notation/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Reading -- */

typedef struct Reader {
    Json *json;
    Span text;
    size_t at;
    char *end; /* of the strings so far */
    Message *why;
} Reader;

static Status wrong(const Reader *r, const char *what)
{
    return status_fail(r->why, STATUS_INVALID, "JSON: %s at byte %zu", what, r->at);
}

static int peek(const Reader *r)
{
    return r->at < r->text.len ? (unsigned char)r->text.at[r->at] : -1;
}

static void skip_blanks(Reader *r)
{
    while (r->at < r->text.len && strchr(" \t\r\n", r->text.at[r->at]) && r->text.at[r->at])
        r->at++;
}

static bool take(Reader *r, char c)
{
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

static JsonNode *add_node(Reader *r, JsonKind kind)
{
    Json *j = r->json;
    if (j->count == JSON_MAX_NODES)
        return NULL;
    if (j->count == j->room) {
        int room = j->room ? 2 * j->room : 32;
        JsonNode *bigger = realloc(j->nodes, (size_t)room * sizeof *bigger);
        if (!bigger)
            return NULL;
        j->nodes = bigger;
        j->room = room;
    }
    JsonNode *n = &j->nodes[j->count++];
    *n = (JsonNode){.kind = kind, .after = j->count};
    return n;
}

static int hex_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_hex4(Reader *r, unsigned *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++) {
        int v = hex_value(peek(r));
        if (v < 0)
            return false;
        *out = *out * 16 + (unsigned)v;
        r->at++;
    }
    return true;
}

static void put_utf8(Reader *r, unsigned c)
{
    if (c < 0x80) {
        *r->end++ = (char)c;
        return;
    }
    if (c < 0x800) {
        *r->end++ = (char)(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *r->end++ = (char)(0xE0 | c >> 12);
        } else {
            *r->end++ = (char)(0xF0 | c >> 18);
            *r->end++ = (char)(0x80 | (c >> 12 & 63));
        }
        *r->end++ = (char)(0x80 | (c >> 6 & 63));
    }
    *r->end++ = (char)(0x80 | (c & 63));
}

/* Behind "\u". A pair of surrogates is one character; half a pair is none. */
static Status read_unicode(Reader *r)
{
    unsigned c, low;
    if (!read_hex4(r, &c))
        return wrong(r, "bad \\u escape");
    if (c >= 0xD800 && c < 0xDC00) {
        if (!take(r, '\\') || !take(r, 'u') || !read_hex4(r, &low) || low < 0xDC00 || low > 0xDFFF)
            return wrong(r, "lone surrogate");
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    } else if ((c >= 0xDC00 && c < 0xE000) || c == 0) {
        return wrong(r, c ? "lone surrogate" : "character zero");
    }
    put_utf8(r, c);
    return STATUS_OK;
}

static Status read_escape(Reader *r)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    int c = peek(r);
    r->at++;
    if (c == 'u')
        return read_unicode(r);
    const char *found = c > 0 ? strchr(letters, c) : NULL;
    if (!found)
        return wrong(r, "bad escape");
    *r->end++ = meant[found - letters];
    return STATUS_OK;
}

/* Behind the opening quote. What is decoded is never longer than what was read, so that the strings'
 * memory, as large as the text, is enough. */
static Status read_string(Reader *r, Span *out)
{
    char *begin = r->end;
    for (;;) {
        int c = peek(r);
        if (c < 0x20)
            return wrong(r, c < 0 ? "string without end" : "control character in a string");
        r->at++;
        if (c == '"')
            break;
        if (c != '\\') {
            *r->end++ = (char)c;
            continue;
        }
        Status s = read_escape(r);
        if (s != STATUS_OK)
            return s;
    }
    *out = (Span){begin, (size_t)(r->end - begin)};
    return STATUS_OK;
}

static bool read_digits(Reader *r)
{
    size_t begin = r->at;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return r->at > begin;
}

static Status read_number(Reader *r, JsonNode *n)
{
    size_t begin = r->at;
    take(r, '-');
    bool zero = peek(r) == '0';
    size_t digits = r->at;
    if (!read_digits(r) || (zero && r->at > digits + 1))
        return wrong(r, "bad number");
    if (take(r, '.') && !read_digits(r))
        return wrong(r, "bad number");
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '-'))
            take(r, '+');
        if (!read_digits(r))
            return wrong(r, "bad number");
    }
    size_t len = r->at - begin;
    memcpy(r->end, r->text.at + begin, len);
    n->text = (Span){r->end, len};
    r->end += len;
    return STATUS_OK;
}

static Status read_value(Reader *r, Span name, int depth);

static bool is_new_name(const Json *j, int parent, Span name)
{
    int count = 0;
    for (int i = parent + 1; i < j->count; i = j->nodes[i].after)
        if (++count == JSON_MAX_NAMES ||
            (j->nodes[i].name.len == name.len && !memcmp(j->nodes[i].name.at, name.at, name.len)))
            return false;
    return true;
}

static Status read_name(Reader *r, int parent, Span *name)
{
    skip_blanks(r);
    if (!take(r, '"'))
        return wrong(r, "a name was expected");
    Status s = read_string(r, name);
    if (s != STATUS_OK)
        return s;
    if (!is_new_name(r->json, parent, *name))
        return wrong(r, "a name twice, or too many names");
    skip_blanks(r);
    return take(r, ':') ? STATUS_OK : wrong(r, "':' was expected");
}

/* Behind the opening bracket. Nodes move when more memory is needed, so the parent is known by its
 * index. */
static Status read_members(Reader *r, int parent, int depth)
{
    bool is_object = r->json->nodes[parent].kind == JSON_OBJECT;
    char closing = is_object ? '}' : ']';
    skip_blanks(r);
    if (take(r, closing))
        return STATUS_OK;
    if (depth == JSON_MAX_DEPTH)
        return wrong(r, "too many levels");
    do {
        Span name = {NULL, 0};
        Status s = is_object ? read_name(r, parent, &name) : STATUS_OK;
        if (s == STATUS_OK)
            s = read_value(r, name, depth + 1);
        if (s != STATUS_OK)
            return s;
        r->json->nodes[parent].after = r->json->count;
        skip_blanks(r);
    } while (take(r, ','));
    return take(r, closing) ? STATUS_OK : wrong(r, "',' or a closing bracket was expected");
}

static bool take_word(Reader *r, const char *word)
{
    size_t len = strlen(word);
    if (r->text.len - r->at < len || memcmp(r->text.at + r->at, word, len) != 0)
        return false;
    r->at += len;
    return true;
}

static JsonKind kind_of(int c)
{
    switch (c) {
    case '{':
        return JSON_OBJECT;
    case '[':
        return JSON_ARRAY;
    case '"':
        return JSON_STRING;
    case 't':
    case 'f':
        return JSON_BOOL;
    case 'n':
        return JSON_NULL;
    default:
        return JSON_NUMBER;
    }
}

static Status read_value(Reader *r, Span name, int depth)
{
    skip_blanks(r);
    JsonKind kind = kind_of(peek(r));
    JsonNode *n = add_node(r, kind);
    if (!n)
        return wrong(r, "too many values");
    n->name = name;
    switch (kind) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        r->at++;
        return read_members(r, (int)(n - r->json->nodes), depth);
    case JSON_STRING:
        r->at++;
        return read_string(r, &n->text);
    case JSON_BOOL:
        n->truth = peek(r) == 't';
        return take_word(r, n->truth ? "true" : "false") ? STATUS_OK : wrong(r, "bad word");
    case JSON_NULL:
        return take_word(r, "null") ? STATUS_OK : wrong(r, "bad word");
    default:
        return read_number(r, n);
    }
}

Status json_read(Json *j, Span text, Message *why)
{
    *j = (Json){0};
    if (!encoding_is_utf8(text))
        return status_fail(why, STATUS_INVALID, "JSON: not UTF-8");
    j->strings = malloc(text.len + 1);
    if (!j->strings)
        return status_fail(why, STATUS_MEMORY, "no memory for a message");
    Reader r = {j, text, 0, j->strings, why};
    Status s = read_value(&r, (Span){NULL, 0}, 0);
    skip_blanks(&r);
    if (s == STATUS_OK && r.at != text.len)
        s = wrong(&r, "more than one value");
    if (s != STATUS_OK)
        json_free(j);
    return s;
}

void json_free(Json *j)
{
    free(j->nodes);
    free(j->strings);
    *j = (Json){0};
}

/* -- Looking -- */

const JsonNode *json_first(const Json *j, const JsonNode *parent)
{
    if (!parent || (parent->kind != JSON_ARRAY && parent->kind != JSON_OBJECT))
        return NULL;
    int first = (int)(parent - j->nodes) + 1;
    return first < parent->after ? &j->nodes[first] : NULL;
}

const JsonNode *json_next(const Json *j, const JsonNode *parent, const JsonNode *child)
{
    return child->after < parent->after ? &j->nodes[child->after] : NULL;
}

const JsonNode *json_get(const Json *j, const JsonNode *object, const char *name)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (const JsonNode *n = json_first(j, object); n; n = json_next(j, object, n))
        if (span_is(n->name, name))
            return n;
    return NULL;
}

bool json_int(const JsonNode *n, int64_t min, int64_t max, int64_t *out)
{
    return n && n->kind == JSON_NUMBER && span_to_int64(n->text, min, max, out);
}

bool json_string(const JsonNode *n, Span *out)
{
    if (!n || n->kind != JSON_STRING)
        return false;
    *out = n->text;
    return true;
}

bool json_bool(const JsonNode *n, bool *out)
{
    if (!n || n->kind != JSON_BOOL)
        return false;
    *out = n->truth;
    return true;
}

/* -- Writing -- */

static void add_quoted(Text *out, Span s)
{
    text_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (c == '"' || c == '\\') {
            text_add_char(out, '\\');
            text_add_char(out, (char)c);
        } else if (c < 0x20 || c == 0x7F) {
            text_addf(out, "\\u%04x", c);
        } else {
            text_add_char(out, (char)c);
        }
    }
    text_add_char(out, '"');
}

/* Whatever stands before: only behind an opening bracket, a colon or at the very beginning is there no comma.
 * A string ends with its quote, so the last character is never part of one. */
static void begin_value(Text *out, const char *name)
{
    if (out->len && !strchr("{[:", out->at[out->len - 1]))
        text_add_char(out, ',');
    if (name) {
        add_quoted(out, span_of(name));
        text_add_char(out, ':');
    }
}

void json_open(Text *out, const char *name, char bracket)
{
    begin_value(out, name);
    text_add_char(out, bracket);
}

void json_close(Text *out, char bracket)
{
    text_add_char(out, bracket);
}

void json_put_null(Text *out, const char *name)
{
    json_put_raw(out, name, span_of("null"));
}

void json_put_bool(Text *out, const char *name, bool value)
{
    json_put_raw(out, name, span_of(value ? "true" : "false"));
}

void json_put_int(Text *out, const char *name, int64_t value)
{
    begin_value(out, name);
    text_addf(out, "%lld", (long long)value);
}

void json_put_tenths(Text *out, const char *name, double value)
{
    begin_value(out, name);
    text_addf(out, "%.1f", isfinite(value) ? value : 0.0);
}

void json_put_span(Text *out, const char *name, Span value)
{
    begin_value(out, name);
    if (encoding_is_utf8(value)) {
        add_quoted(out, value);
        return;
    }
    Text utf8;
    text_init(&utf8);
    encoding_add_utf8(&utf8, value);
    add_quoted(out, (Span){utf8.at, utf8.len});
    out->failed |= utf8.failed;
    text_free(&utf8);
}

void json_put_str(Text *out, const char *name, const char *value)
{
    if (value)
        json_put_span(out, name, span_of(value));
    else
        json_put_null(out, name);
}

void json_put_raw(Text *out, const char *name, Span json)
{
    begin_value(out, name);
    text_add(out, json.at, json.len);
}
