/* Any bytes as JSON: what was read can be written, and reads as the same again. */
#include "fuzzing.h"

#include "service/json.h"

#include <stdlib.h>
#include <string.h>

static void write_name(const JsonNode *n, Text *out)
{
    char name[64];
    size_t len = n->name.len < sizeof name - 1 ? n->name.len : sizeof name - 1;
    memcpy(name, n->name.at ? n->name.at : "", n->name.at ? len : 0);
    name[n->name.at ? len : 0] = '\0';
    json_put_str(out, NULL, name); /* names are written as values: cut ones might come twice */
}

static void write_node(const Json *j, const JsonNode *n, Text *out)
{
    int64_t number;
    Span text;
    bool truth;
    if (n->name.at)
        write_name(n, out);
    if (json_int(n, INT64_MIN, INT64_MAX, &number)) {
        json_put_int(out, NULL, number);
    } else if (json_string(n, &text)) {
        json_put_span(out, NULL, text);
    } else if (json_bool(n, &truth)) {
        json_put_bool(out, NULL, truth);
    } else if (n->kind == JSON_NUMBER) {
        json_put_raw(out, NULL, n->text);
    } else if (n->kind == JSON_NULL) {
        json_put_null(out, NULL);
    } else {
        json_open(out, NULL, '[');
        for (const JsonNode *c = json_first(j, n); c; c = json_next(j, n, c))
            write_node(j, c, out);
        json_close(out, ']');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Json j, again;
    Message why = {""};
    Text first, second;
    if (json_read(&j, (Span){(const char *)data, size}, &why) != STATUS_OK) {
        if (!why.text[0])
            abort();
        return 0;
    }
    text_init(&first);
    text_init(&second);
    json_get(&j, j.nodes, "id");
    write_node(&j, j.nodes, &first);
    Status s = json_read(&again, (Span){first.at, first.len}, &why);
    if (s == STATUS_OK) {
        write_node(&again, again.nodes, &second);
        if (strcmp(first.at, second.at) != 0)
            abort();
        json_free(&again);
    } else if (j.count < JSON_MAX_NODES / 2) {
        abort(); /* names have become values, so only the limit may refuse it */
    }
    json_free(&j);
    text_free(&first);
    text_free(&second);
    return 0;
}
