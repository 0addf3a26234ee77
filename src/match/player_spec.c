#include "base/os.h"
#include "engine/opponents.h"
#include "levels/level.h"
#include "match/player_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MS = 1000 * 86400 * 7 };

/* -- Limits -- */

bool player_limits_any(const PlayerLimits *l)
{
    return l->base_ms || l->move_time_ms || l->depth || l->nodes;
}

/* Cuts off what stands before the character, and that; false when it is not there. */
static bool cut_before(Span *rest, char c, Span *before)
{
    const char *at = memchr(rest->at, c, rest->len);
    if (!at)
        return false;
    *before = (Span){rest->at, (size_t)(at - rest->at)};
    *rest = (Span){at + 1, rest->len - before->len - 1};
    return true;
}

/* Seconds, or minutes:seconds, in milliseconds. */
static bool read_time(Span text, int64_t *ms)
{
    double minutes = 0, seconds;
    Span before;
    if (cut_before(&text, ':', &before) && (!span_to_double(before, &minutes) || minutes < 0))
        return false;
    if (!span_to_double(text, &seconds) || seconds < 0 || minutes * 60 + seconds > MAX_MS / 1000)
        return false;
    *ms = (int64_t)((minutes * 60 + seconds) * 1000 + 0.5);
    return true;
}

Status player_read_clock(PlayerLimits *l, Span text, Message *why)
{
    int64_t moves = 0, base_ms, increment_ms = 0;
    Span rest = text, part;
    bool fine = !cut_before(&rest, '/', &part) || span_to_int64(part, 1, 1000, &moves);
    if (cut_before(&rest, '+', &part))
        fine = fine && read_time(rest, &increment_ms);
    else
        part = rest;
    if (!fine || !read_time(part, &base_ms) || base_ms <= 0)
        return status_fail(why, STATUS_INVALID,
                           "invalid time control '%.*s' (examples: 2+0.02, 40/60+1)",
                           text.len < 40 ? (int)text.len : 40, text.at);
    l->base_ms = base_ms;
    l->increment_ms = increment_ms;
    l->moves = (int)moves;
    return STATUS_OK;
}

static const char *comma(const Text *out, size_t begin)
{
    return out->len > begin ? ", " : "";
}

void player_limits_text(const PlayerLimits *l, Text *out)
{
    size_t begin = out->len;
    if (l->base_ms && l->moves)
        text_addf(out, "%d/", l->moves);
    if (l->base_ms)
        text_addf(out, "%g", (double)l->base_ms / 1000);
    if (l->base_ms && l->increment_ms)
        text_addf(out, "+%g", (double)l->increment_ms / 1000);
    if (l->move_time_ms)
        text_addf(out, "%s%" PRId64 " ms a move", comma(out, begin), l->move_time_ms);
    if (l->nodes)
        text_addf(out, "%s%" PRIu64 " nodes", comma(out, begin), l->nodes);
    if (l->depth)
        text_addf(out, "%sdepth %d", comma(out, begin), l->depth);
}

/* -- Words -- */

/* Puts a copy of the text in the place of what is there. */
static Status put_copy(char **place, Span text, Message *why)
{
    free(*place);
    *place = strndup(text.at, text.len);
    return *place ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory");
}

static Status add_word(PlayerSpec *spec, Span word, Message *why)
{
    if (spec->word_count > PLAYER_MAX_WORDS)
        return status_fail(why, STATUS_INVALID, "more than %d arguments", PLAYER_MAX_WORDS);
    return put_copy(&spec->words[spec->word_count++], word, why);
}

/* The program comes first, whenever it is told. */
static Status set_program(PlayerSpec *spec, Span path, Message *why)
{
    if (spec->kind != PLAYER_OWN && spec->words[0])
        return status_fail(why, STATUS_INVALID, "more than one program for one player");
    if (spec->kind == PLAYER_OWN)
        spec->kind = PLAYER_UCI;
    return put_copy(&spec->words[0], path, why);
}

static void set_name(PlayerSpec *spec, Span name)
{
    span_show(name, spec->name, sizeof spec->name);
}

Status player_spec_add_option(PlayerSpec *spec, Span name, Span value, Message *why)
{
    if (spec->option_count == PLAYER_MAX_WORDS || !name.len)
        return status_fail(why, STATUS_INVALID, name.len ? "more than %d options" : "no name",
                           PLAYER_MAX_WORDS);
    PlayerOption *o = &spec->options[spec->option_count++];
    Status s = put_copy(&o->name, name, why);
    return s == STATUS_OK ? put_copy(&o->value, value, why) : s;
}

/* -- Reading -- */

static Status bad_value(Span key, Span value, Message *why)
{
    return status_fail(why, STATUS_INVALID, "invalid value '%.*s' for %.*s",
                       value.len < 60 ? (int)value.len : 60, value.at,
                       key.len < 30 ? (int)key.len : 30, key.at);
}

static Status set_limit(PlayerSpec *spec, Span key, Span value, Message *why)
{
    PlayerLimits *l = &spec->limits;
    int64_t number;
    if (!span_to_int64(value, 1, 1000000000000, &number))
        return bad_value(key, value, why);
    if (span_is(key, "nodes"))
        l->nodes = (uint64_t)number;
    else if (span_is(key, "movetime") && number <= MAX_MS)
        l->move_time_ms = number;
    else if (span_is(key, "depth") && number <= 1000)
        l->depth = (int)number;
    else
        return bad_value(key, value, why);
    return STATUS_OK;
}

static Status set_protocol(PlayerSpec *spec, Span value, Message *why)
{
    if (span_is(value, "uci"))
        spec->kind = PLAYER_UCI;
    else if (span_is(value, "xboard") || span_is(value, "cecp"))
        spec->kind = PLAYER_XBOARD;
    else
        return bad_value(span_of("proto"), value, why);
    return STATUS_OK;
}

static Status set_opponent(PlayerSpec *spec, Span name, Message *why)
{
    if (!opponents_find(name))
        return opponents_unknown(name, why);
    return player_spec_add_option(spec, span_of("Opponent"), name, why);
}

static PlayerOption *find_option(PlayerSpec *spec, const char *name)
{
    for (int i = 0; i < spec->option_count; i++)
        if (strcmp(spec->options[i].name, name) == 0)
            return &spec->options[i];
    return NULL;
}

/* True when the opponent that was named before has a setting of that key. */
static bool is_setting(PlayerSpec *spec, Span key)
{
    const PlayerOption *o = find_option(spec, "Opponent");
    return o && opponent_has_setting(opponents_find(span_of(o->value)), key);
}

/* opponent=mantis,random=on: the settings are kept behind the opponent's name, as the engine option
 * has it. */
static Status add_setting(PlayerSpec *spec, Span key, Span value, Message *why)
{
    PlayerOption *o = find_option(spec, "Opponent");
    OpponentChoice choice;
    if (span_is(key, "position"))
        return status_fail(
            why, STATUS_INVALID,
            "position: not available in a match, whose openings set the start positions");
    Text t = text_new();
    text_addf(&t, "%s,%.*s=%.*s", o->value, (int)key.len, key.at, (int)value.len, value.at);
    Status s = t.failed ? status_fail(why, STATUS_MEMORY, "not enough memory")
                        : opponents_read((Span){t.at, t.len}, &choice, why);
    if (s == STATUS_OK)
        s = put_copy(&o->value, (Span){t.at, t.len}, why);
    text_free(&t);
    return s;
}

static Status set_elo(PlayerSpec *spec, Span value, Message *why)
{
    int64_t elo;
    if (!span_to_int64(value, LEVEL_MIN_ELO, LEVEL_MAX_ELO, &elo))
        return status_fail(why, STATUS_INVALID, "elo=%.*s: the levels are %d to %d",
                           value.len < 20 ? (int)value.len : 20, value.at, LEVEL_MIN_ELO,
                           LEVEL_MAX_ELO);
    Status s = player_spec_add_option(spec, span_of("UCI_LimitStrength"), span_of("true"), why);
    return s == STATUS_OK ? player_spec_add_option(spec, span_of("UCI_Elo"), value, why) : s;
}

static Status set_field(PlayerSpec *spec, Span key, Span value, Message *why)
{
    static const char OPTION[] = "option.";
    const size_t prefix = sizeof OPTION - 1;
    if (span_is(key, "cmd"))
        return set_program(spec, value, why);
    if (span_is(key, "arg"))
        return add_word(spec, value, why);
    if (span_is(key, "dir"))
        return put_copy(&spec->dir, value, why);
    if (span_is(key, "proto"))
        return set_protocol(spec, value, why);
    if (span_is(key, "net") || span_is(key, "eval"))
        return player_spec_add_option(spec, span_of("EvalFile"), value, why);
    if (span_is(key, "opponent"))
        return set_opponent(spec, value, why);
    if (span_is(key, "elo"))
        return set_elo(spec, value, why);
    if (span_starts(key, OPTION))
        return player_spec_add_option(spec, (Span){key.at + prefix, key.len - prefix}, value, why);
    if (span_is(key, "tc"))
        return player_read_clock(&spec->limits, value, why);
    if (span_is(key, "nodes") || span_is(key, "movetime") || span_is(key, "depth"))
        return set_limit(spec, key, value, why);
    if (is_setting(spec, key))
        return add_setting(spec, key, value, why);
    if (!span_is(key, "name"))
        return status_fail(why, STATUS_INVALID, "unknown field '%.*s'",
                           key.len < 60 ? (int)key.len : 60, key.at);
    set_name(spec, value);
    return STATUS_OK;
}

/* Cuts the next field off and takes the backslashes before commas away. */
static bool next_field(const char **at, Text *field)
{
    text_clear(field);
    if (!**at)
        return false;
    for (; **at && **at != ','; (*at)++) {
        if (**at == '\\' && (*at)[1] == ',')
            (*at)++;
        text_add_char(field, **at);
    }
    if (**at == ',')
        (*at)++;
    return true;
}

static Status read_fields(PlayerSpec *spec, const char *text, Text *field, Message *why)
{
    Status s = STATUS_OK;
    while (s == STATUS_OK && next_field(&text, field)) {
        Span value = {field->at, field->len}, key;
        if (field->failed)
            s = status_fail(why, STATUS_MEMORY, "not enough memory");
        else if (cut_before(&value, '=', &key))
            s = set_field(spec, key, value, why);
        else if (value.len && !span_is(value, "castellan"))
            s = set_program(spec, value, why);
    }
    return s;
}

/* "net.nn" from "/some/where/net.nn". */
static Span last_part(const char *path)
{
    const char *name = os_file_name(path);
    return span_of(*name ? name : path);
}

/* A name for who was given none: the program, the opponent, the level, or the evaluation. */
static void find_name(PlayerSpec *spec)
{
    if (spec->name[0])
        return;
    Span name = span_of("castellan");
    char level[32];
    for (int i = 0; i < spec->option_count; i++) {
        const PlayerOption *o = &spec->options[i];
        if (strcmp(o->name, "EvalFile") == 0 || strcmp(o->name, "Opponent") == 0)
            name = last_part(o->value);
        if (strcmp(o->name, "UCI_Elo") == 0) {
            snprintf(level, sizeof level, "elo-%s", o->value);
            name = span_of(level);
        }
    }
    set_name(spec, spec->kind == PLAYER_OWN ? name : last_part(spec->words[0]));
}

bool player_spec_has_effort(const PlayerSpec *spec)
{
    const OpponentRow *row = NULL;
    for (int i = 0; i < spec->option_count && spec->kind == PLAYER_OWN; i++)
        if (strcmp(spec->options[i].name, "Opponent") == 0)
            row = opponents_find(span_of(spec->options[i].value));
        else if (strcmp(spec->options[i].name, "UCI_Elo") == 0)
            return true;
    return row && row->ops;
}

Status player_spec_read(PlayerSpec *spec, const char *text, Message *why)
{
    *spec = (PlayerSpec){.kind = PLAYER_OWN, .word_count = 1};
    Text field = text_new();
    Status s = read_fields(spec, text, &field, why);
    text_free(&field);
    if (s == STATUS_OK && (spec->kind != PLAYER_OWN || spec->word_count > 1) && !spec->words[0])
        s = status_fail(why, STATUS_INVALID, "missing cmd=PATH");
    if (s == STATUS_OK && spec->kind == PLAYER_XBOARD && spec->limits.nodes)
        s = status_fail(why, STATUS_INVALID, "the xboard protocol has no node limit");
    if (s != STATUS_OK) {
        if (why)
            message_prefix(why, "engine '%.80s': ", text);
        player_spec_free(spec);
        return s;
    }
    find_name(spec);
    return STATUS_OK;
}

void player_spec_free(PlayerSpec *spec)
{
    free(spec->dir);
    for (int i = 0; i < spec->word_count; i++)
        free(spec->words[i]);
    for (int i = 0; i < spec->option_count; i++) {
        free(spec->options[i].name);
        free(spec->options[i].value);
    }
    *spec = (PlayerSpec){0};
}

void player_spec_text(const PlayerSpec *spec, Text *out)
{
    text_addf(out, "%d,%s,%s", (int)spec->kind, spec->name, spec->dir ? spec->dir : "");
    for (int i = 0; i < spec->word_count; i++)
        text_addf(out, ",%s", spec->words[i] ? spec->words[i] : "");
    for (int i = 0; i < spec->option_count; i++)
        text_addf(out, ",%s=%s", spec->options[i].name, spec->options[i].value);
    text_add_char(out, ',');
    player_limits_text(&spec->limits, out);
}
