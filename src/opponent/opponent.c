#include "opponent/opponent.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct Opponent {
    _Alignas(max_align_t) OpponentRow row;
    void *self; /* behind it */
};

/* -- Settings -- */

/* Cuts the next "key=value" off; the value has no text at all where '=' is missing. */
static bool next_setting(Span *rest, Span *key, Span *value)
{
    if (!rest->len)
        return false;
    const char *comma = memchr(rest->at, ',', rest->len);
    Span item = {rest->at, comma ? (size_t)(comma - rest->at) : rest->len};
    size_t cut = item.len + (comma != NULL);
    *rest = (Span){rest->at + cut, rest->len - cut};
    const char *equals = memchr(item.at, '=', item.len);
    *key = span_trim((Span){item.at, equals ? (size_t)(equals - item.at) : item.len});
    *value = (Span){NULL, 0};
    if (equals)
        *value = span_trim((Span){equals + 1, item.len - (size_t)(equals + 1 - item.at)});
    return true;
}

static int setting_count(const OpponentRow *row)
{
    return row->ops ? row->ops->setting_count : 0;
}

static int find_setting(const OpponentRow *row, Span key)
{
    int i = 0;
    while (i < setting_count(row) && !span_is_ignoring_case(key, row->ops->settings[i].key))
        i++;
    return i;
}

bool opponent_has_setting(const OpponentRow *row, Span key)
{
    return find_setting(row, key) < setting_count(row);
}

/* The value of a setting in a list, the last one there; false: it has none. */
static bool value_in(Span list, const char *wanted, Span *out)
{
    Span key, value;
    bool found = false;
    while (next_setting(&list, &key, &value))
        if (span_is_ignoring_case(key, wanted)) {
            *out = value;
            found = true;
        }
    return found;
}

Span opponent_default(const OpponentRow *row, int setting)
{
    const OpponentSetting *s = &row->ops->settings[setting];
    Span value = span_of(s->initial);
    if (row->preset)
        value_in(span_of(row->preset), s->key, &value);
    return value;
}

static Status unknown_setting(const OpponentRow *row, Span key, Message *why)
{
    char shown[40];
    span_show(key, shown, sizeof shown);
    if (!setting_count(row))
        return status_fail(why, STATUS_INVALID, "%s has no settings: unexpected '%s'", row->name,
                           shown);
    Text list = text_new();
    for (int i = 0; i < setting_count(row); i++)
        text_addf(&list, "%s%s", i ? ", " : "", row->ops->settings[i].key);
    status_fail(why, STATUS_INVALID, "%s has no setting '%s': it has %s", row->name, shown,
                list.at);
    text_free(&list);
    return STATUS_INVALID;
}

static Status invalid_value(const OpponentSetting *s, Span value, Message *why)
{
    char shown[60];
    span_show(value, shown, sizeof shown);
    if (s->kind == SETTING_NUMBER)
        return status_fail(why, STATUS_INVALID, "%s: invalid value '%s': %d to %d", s->key, shown,
                           s->min, s->max);
    return status_fail(why, STATUS_INVALID, "%s: invalid value '%s': %s", s->key, shown, s->values);
}

/* The place of a word in "one, two, three"; -1: it is not there. */
static int place_of(const char *words, Span word)
{
    for (int place = 0;; place++) {
        size_t len = strcspn(words, ",");
        if (word.len == len && strncasecmp(words, word.at, len) == 0)
            return place;
        if (!words[len])
            return -1;
        words += len + strspn(words + len, ", ");
    }
}

static Status read_value(const OpponentSetting *s, Span text, OpponentValue *out, Message *why)
{
    int64_t number = 0;
    *out = (OpponentValue){.text = text};
    if (s->kind == SETTING_NUMBER && !span_to_int64(text, s->min, s->max, &number))
        return invalid_value(s, text, why);
    if (s->kind == SETTING_CHOICE && (number = place_of(s->values, text)) < 0)
        return invalid_value(s, text, why);
    out->number = (int)number;
    return STATUS_OK;
}

static Status check_keys(const OpponentRow *row, Span list, Message *why)
{
    Span key, value;
    char shown[40];
    while (next_setting(&list, &key, &value)) {
        if (!opponent_has_setting(row, key))
            return unknown_setting(row, key, why);
        if (!value.at) {
            span_show(key, shown, sizeof shown);
            return status_fail(why, STATUS_INVALID, "%s: missing value (%s=VALUE)", shown, shown);
        }
    }
    return STATUS_OK;
}

/* A name in a folder, and nothing that leads out of it. */
static bool is_plain_name(Span name)
{
    return name.len && name.at[0] != '.' && !memchr(name.at, '/', name.len);
}

/* The files' names with the folder in front; words stay as they are. */
static Status resolve_files(const OpponentSetting *s, const char *folder, Span text, Text *out,
                            Message *why)
{
    Span rest = text;
    while (rest.len) {
        const char *plus = memchr(rest.at, '+', rest.len);
        Span part = {rest.at, plus ? (size_t)(plus - rest.at) : rest.len};
        size_t cut = part.len + (plus != NULL), begin = out->len + (out->len > 0);
        if (out->len)
            text_add_str(out, "+");
        if (s->words && place_of(s->words, part) >= 0)
            text_addf(out, "%.*s", (int)part.len, part.at);
        else if (is_plain_name(part))
            text_addf(out, "%s/%.*s", folder, (int)part.len, part.at);
        else
            return invalid_value(s, text, why);
        if (!out->failed && strchr(out->at + begin, '/') && access(out->at + begin, R_OK) != 0)
            return invalid_value(s, text, why);
        rest = (Span){rest.at + cut, rest.len - cut};
    }
    return out->failed ? status_fail(why, STATUS_MEMORY, "not enough memory for a file's name")
                       : STATUS_OK;
}

static Status apply_setting(Opponent *o, int setting, Span text, const char *folder, Message *why)
{
    const OpponentSetting *s = &o->row.ops->settings[setting];
    OpponentValue value;
    Text files = text_new();
    Status status = STATUS_OK;
    if (folder && s->kind == SETTING_FILES && text.len) {
        status = resolve_files(s, folder, text, &files, why);
        text = (Span){files.at, files.len};
    }
    if (status == STATUS_OK)
        status = read_value(s, text, &value, why);
    if (status == STATUS_OK && (status = o->row.ops->set(o->self, setting, &value, why)))
        message_prefix(why, "%s: ", s->key);
    text_free(&files);
    return status;
}

static Status apply_settings(Opponent *o, Span list, const char *folder, Message *why)
{
    const OpponentOps *ops = o->row.ops;
    Status status = check_keys(&o->row, list, why);
    for (int i = 0; i < ops->setting_count && status == STATUS_OK; i++) {
        Span text = opponent_default(&o->row, i);
        value_in(list, ops->settings[i].key, &text);
        status = apply_setting(o, i, text, folder, why);
    }
    return status;
}

/* -- Opponents -- */

Status opponent_open(Opponent **out, const OpponentRow *row, Span settings, const char *folder,
                     uint64_t seed, Message *why)
{
    if (!row->ops)
        return status_fail(why, STATUS_REFUSED, "%s is the engine itself", row->name);
    Opponent *o = calloc(1, sizeof *o + row->ops->size);
    if (!o)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %s", row->name);
    *o = (Opponent){.row = *row, .self = o + 1};
    o->row.setup = NULL; /* need not outlive this */
    Status s = row->ops->open ? row->ops->open(o->self, row->setup, why) : STATUS_OK;
    if (s == STATUS_OK)
        s = apply_settings(o, settings, folder, why);
    if (s == STATUS_OK)
        opponent_new_game(o, seed);
    return GIVE_OR_CLOSE(s, out, o, opponent_close);
}

void opponent_close(Opponent *o)
{
    if (!o)
        return;
    if (o->row.ops->close)
        o->row.ops->close(o->self);
    free(o);
}

void opponent_new_game(Opponent *o, uint64_t seed)
{
    if (o->row.ops->new_game)
        o->row.ops->new_game(o->self, seed);
}

void opponent_think(Opponent *o, const OpponentTask *task, OpponentAnswer *answer)
{
    char talk[OPPONENT_TALK_SIZE];
    *answer = (OpponentAnswer){.move = MOVE_NONE};
    o->row.ops->think(o->self, task, answer);
    memcpy(talk, answer->talk, sizeof talk);
    span_show(span_of(talk), answer->talk, sizeof answer->talk); /* one line, whatever it says */
    assert(pos_is_legal(task->position, answer->move));
}

int64_t opponent_shown_ms(const OpponentAnswer *answer, const SearchLimits *limits, Color us)
{
    enum { CLOCK_SHARE = 20 };
    if (!limits->has_clock[us])
        return answer->think_ms;
    int64_t most = limits->clock_ms[us] / CLOCK_SHARE + limits->increment_ms[us] / 2;
    return answer->think_ms < most ? answer->think_ms : most;
}

bool opponent_accepts_draw(Opponent *o, const Position *p)
{
    return o->row.ops->accepts_draw && o->row.ops->accepts_draw(o->self, p);
}

bool opponent_start(const Opponent *o, Position *out)
{
    return o->row.ops->start && o->row.ops->start(o->self, out);
}

void opponent_scratch_close(OpponentScratch *s)
{
    if (s->at)
        s->close(s->at);
    s->at = NULL;
}

const OpponentRow *opponent_row(const Opponent *o)
{
    return &o->row;
}

const void *opponent_self(const Opponent *o)
{
    return o->self;
}
