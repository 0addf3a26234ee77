#include "classics/classic_weights.h"

#include "base/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16, SHOWN = 40 };

static int find_weight(const ClassicEval *e, Span name)
{
    int i = 0;
    while (i < e->weight_count && !span_is(name, e->weights[i].name))
        i++;
    return i;
}

static Status read_weight(const ClassicEval *e, Span line, int *weights, bool *seen, Message *why)
{
    Span name, number, more;
    int64_t value;
    char shown[SHOWN];
    span_show(line, shown, sizeof shown);
    if (!span_next_word(&line, &name) || !span_next_word(&line, &number) ||
        span_next_word(&line, &more))
        return status_fail(why, STATUS_INVALID, "expected a weight and its value, not '%s'", shown);
    int i = find_weight(e, name);
    if (i == e->weight_count)
        return status_fail(why, STATUS_INVALID, "'%s': %s has no such weight", shown, e->name);
    const ClassicEvalWeight *w = &e->weights[i];
    if (!span_to_int64(number, w->min, w->max, &value))
        return status_fail(why, STATUS_INVALID, "'%s': %s must be from %d to %d", shown, w->name,
                           w->min, w->max);
    weights[i] = (int)value;
    seen[i] = true;
    return STATUS_OK;
}

static Status read_head(const ClassicEval *e, Span *text, Message *why)
{
    Span line, word;
    char shown[SHOWN];
    if (!span_next_line(text, &line))
        return status_fail(why, STATUS_INVALID, "the file is empty");
    span_show(line, shown, sizeof shown);
    if (!span_next_word(&line, &word) || !span_is(word, "evaluator") ||
        !span_next_word(&line, &word) || !span_is(word, e->name))
        return status_fail(why, STATUS_INVALID, "'%s' is not 'evaluator %s'", shown, e->name);
    return STATUS_OK;
}

Status classic_weights_read(const ClassicEval *e, Span text, int weights[CLASSIC_EVAL_MAX_WEIGHTS],
                            Message *why)
{
    bool seen[CLASSIC_EVAL_MAX_WEIGHTS] = {false};
    Span line;
    Status s = read_head(e, &text, why);
    memset(weights, 0, CLASSIC_EVAL_MAX_WEIGHTS * sizeof *weights);
    while (s == STATUS_OK && span_next_line(&text, &line))
        if (span_trim(line).len)
            s = read_weight(e, line, weights, seen, why);
    for (int i = 0; i < e->weight_count && s == STATUS_OK; i++)
        if (!seen[i])
            s = status_fail(why, STATUS_INVALID, "no value for %s", e->weights[i].name);
    return s;
}

Status classic_weights_load(const ClassicEval *e, Span path, int weights[CLASSIC_EVAL_MAX_WEIGHTS],
                            Message *why)
{
    char name[PATH_MAX], *bytes;
    size_t len;
    Status s = file_path(name, sizeof name, path, why);
    if (s == STATUS_OK)
        s = file_read(&bytes, &len, name, MAX_BYTES, why);
    if (s != STATUS_OK)
        return s;
    s = classic_weights_read(e, (Span){bytes, len}, weights, why);
    if (s != STATUS_OK)
        message_prefix(why, "%s: ", name);
    free(bytes);
    return s;
}

Status classic_weights_save(const ClassicEval *e, const int *weights, const char *path,
                            Message *why)
{
    Text t = text_new();
    text_addf(&t, "evaluator %s\n", e->name);
    for (int i = 0; i < e->weight_count; i++)
        text_addf(&t, "%s %d\n", e->weights[i].name, weights[i]);
    return file_write_text(path, &t, why);
}
