#include "service/opponent_choice_int.h"

#include "chess/fen.h"
#include "engine/opponents.h"
#include "notation/json_value.h"

#include <dirent.h>
#include <string.h>

enum { MAX_FILES = 200 };

/* -- The table -- */

static json_t *json_setting(const OpponentRow *row, int i)
{
    static const char *const kinds[] = {"choice", "number", "files"};
    const OpponentSetting *s = &row->ops->settings[i];
    const char *words = s->kind == SETTING_CHOICE ? s->values : s->words ? s->words : "";
    json_t *list = json_array();
    while (*words) {
        size_t len = strcspn(words, ",");
        json_array_append_new(list, value_span((Span){words, len}));
        words += len + strspn(words + len, ", ");
    }
    json_t *out = json_pack("{s:s, s:s, s:o, s:o, s:s, s:s}", "key", s->key, "kind", kinds[s->kind],
                            "words", list, "default", value_span(opponent_default(row, i)),
                            "accepted", s->values, "help", s->help);
    if (s->kind == SETTING_NUMBER)
        json_object_update_new(out, json_pack("{s:i, s:i}", "min", s->min, "max", s->max));
    return out;
}

/* The program of which this is a variant: the row of the same program without a preset, or its
 * first one. */
static const OpponentRow *family_of(const OpponentRow *row)
{
    const OpponentRow *first = NULL;
    for (int i = 0; i < opponents_count(); i++) {
        const OpponentRow *other = opponents_at(i);
        if (other->ops != row->ops)
            continue;
        if (!other->preset)
            return other;
        first = first ? first : other;
    }
    return first;
}

static json_t *json_opponent(const OpponentRow *row)
{
    json_t *settings = json_array();
    for (int i = 0; row->ops && i < row->ops->setting_count; i++)
        json_array_append_new(settings, json_setting(row, i));
    return json_pack("{s:s, s:s, s:s, s:i, s:o, s:s, s:o}", "name", row->name, "title", row->title,
                     "family", family_of(row)->name, "year", row->year, "rating",
                     value_number(row->rating, row->rating != OPPONENT_UNRATED), "style",
                     row->style, "settings", settings);
}

json_t *opponent_choice_list(void)
{
    json_t *list = json_array();
    for (int i = 0; i < opponents_count(); i++)
        json_array_append_new(list, json_opponent(opponents_at(i)));
    return list;
}

/* -- Files -- */

static void folder_of(const Service *service, char *out, size_t size)
{
    snprintf(out, size, "%s/opponents", service->options->data);
}

json_t *opponent_choice_files(const Service *service)
{
    char folder[4096];
    json_t *list = json_array();
    folder_of(service, folder, sizeof folder);
    DIR *dir = opendir(folder);
    if (!dir)
        return list; /* nobody has put any there */
    const struct dirent *entry;
    while ((entry = readdir(dir)) && json_array_size(list) < MAX_FILES)
        if (entry->d_name[0] != '.' && !strpbrk(entry->d_name, ",+"))
            json_array_append_new(list, value_text(entry->d_name));
    closedir(dir);
    return list;
}

/* -- A choice -- */

/* "name,key=value,key=value": how the side is stored. */
static Status write_settings(const OpponentRow *row, json_t *settings, Text *out, Message *why)
{
    const char *key;
    json_t *value;
    json_object_foreach(settings, key, value)
    {
        const char *text = json_string_value(value);
        char shown[60];
        span_show(span_of(text ? text : ""), shown, sizeof shown);
        if (!text)
            return status_fail(why, STATUS_INVALID,
                               "settings: the value of '%.40s' is not a string", key);
        if (strpbrk(text, ",") || strpbrk(key, ",="))
            return status_fail(why, STATUS_INVALID,
                               "%.40s: invalid value '%s': commas are not accepted", key, shown);
        text_addf(out, ",%s=%s", key, text);
    }
    if (out->failed)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the settings of %s",
                           row->name);
    return STATUS_OK;
}

static Status try_settings(const Service *service, const StoreSide *side, char *start_fen,
                           Message *why)
{
    Opponent *o;
    Position start;
    Status s = opponent_choice_open(service, side, 1, &o, why);
    if (s != STATUS_OK)
        return s;
    if (o && opponent_start(o, &start))
        fen_write(&start, FEN_X, start_fen);
    opponent_close(o);
    return STATUS_OK;
}

/* What can be chosen is told apart from what was, so that an unchanged opponent
 * keeps its rating. */
static Status read_settings(const Service *service, const OpponentRow *row, json_t *settings,
                            StoreSide *side, char *start_fen, Message *why)
{
    if (!json_is_object(settings))
        return status_fail(why, STATUS_INVALID, "settings: expected an object of strings");
    if (json_object_size(settings) == 0)
        return STATUS_OK;
    Text text = text_new();
    Status s = write_settings(row, settings, &text, why);
    if (s == STATUS_OK && !row->ops)
        s = status_fail(why, STATUS_INVALID, "%s has no settings of an opponent", row->name);
    if (s == STATUS_OK && strlen(row->name) + text.len >= sizeof side->name)
        s = status_fail(why, STATUS_INVALID, "settings: more than %d characters",
                        (int)(sizeof side->name - strlen(row->name)) - 1);
    if (s == STATUS_OK) {
        snprintf(side->name, sizeof side->name, "%s%s", row->name, text.at);
        snprintf(side->title, sizeof side->title, "%.60s (%.100s)", row->title, text.at + 1);
        side->rating = OPPONENT_UNRATED;
        s = try_settings(service, side, start_fen, why);
    }
    text_free(&text);
    return s;
}

Status opponent_choice_read(const Service *service, const json_t *node, StoreSide *side,
                            char *start_fen, Message *why)
{
    Span name;
    json_t *settings = json_object_get(node, "settings");
    if (!member_text(node, "name", &name))
        return status_fail(why, STATUS_INVALID, "opponent: a name is missing");
    const OpponentRow *row = memchr(name.at, ',', name.len) ? NULL : opponents_find(name);
    if (!row)
        return opponents_unknown(name, why);
    side->kind = SIDE_PROGRAM;
    snprintf(side->name, sizeof side->name, "%s", row->name);
    snprintf(side->title, sizeof side->title, "%s", row->title);
    side->rating = row->rating;
    if (!settings || json_is_null(settings))
        return STATUS_OK;
    return read_settings(service, row, settings, side, start_fen, why);
}

Status opponent_choice_open(const Service *service, const StoreSide *side, uint64_t seed,
                            Opponent **out, Message *why)
{
    char folder[4096];
    const char *comma = side->kind == SIDE_PROGRAM ? strchr(side->name, ',') : NULL;
    const OpponentRow *row =
        side->kind == SIDE_PROGRAM ? opponents_find(span_of(side->name)) : NULL;
    OpponentSpec spec = {.row = row ? row : opponents_at(0),
                         .settings = comma ? comma + 1 : NULL,
                         .folder = folder,
                         .elo = side->kind == SIDE_PROGRAM ? 0 : (int)side->elo};
    folder_of(service, folder, sizeof folder);
    return opponents_open(out, spec, seed, why);
}
