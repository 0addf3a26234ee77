#include "app/args.h"

#include "base/thread.h"
#include "chess/fen.h"
#include "match/player.h"

#include <inttypes.h>
#include <string.h>

/* -- Values -- */

static Status invalid_value(const char *name, const char *value, const char *accepts, Message *why)
{
    return status_fail(why, STATUS_INVALID, "invalid value '%.60s' for %s: %s", value, name,
                       accepts);
}

Status args_number(const char *name, const char *word, int64_t min, int64_t max, int64_t *out,
                   Message *why)
{
    char accepts[96];
    if (span_to_int64(span_of(word), min, max, out))
        return STATUS_OK;
    if (max == INT64_MAX)
        snprintf(accepts, sizeof accepts, "an integer, %" PRId64 " or more", min);
    else
        snprintf(accepts, sizeof accepts, "an integer from %" PRId64 " to %" PRId64, min, max);
    return invalid_value(name, word, accepts, why);
}

static void store_int(const ArgRow *row, void *field, int64_t number)
{
    if (row->size == sizeof(int))
        *(int *)field = (int)number;
    else
        *(int64_t *)field = number;
}

static Status set_int(const ArgRow *row, void *field, const char *value, Message *why)
{
    int64_t number;
    Status s = args_number(row->name, value, row->min, row->max, &number, why);
    if (s == STATUS_OK)
        store_int(row, field, number);
    return s;
}

static Status set_real(const ArgRow *row, double *field, const char *value, Message *why)
{
    double number;
    char accepts[64];
    if (span_to_double(span_of(value), &number) && number >= row->low && number <= row->high) {
        *field = number;
        return STATUS_OK;
    }
    snprintf(accepts, sizeof accepts, "a number from %g to %g", row->low, row->high);
    return invalid_value(row->name, value, accepts, why);
}

/* "white, black or random" */
static void list_choices(const ArgRow *row, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; row->choices[i] && used < size; i++) {
        const char *between = i == 0 ? "" : row->choices[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", between, row->choices[i]);
    }
}

static Status set_choice(const ArgRow *row, int *field, const char *value, Message *why)
{
    char accepts[128];
    for (int i = 0; row->choices[i]; i++)
        if (span_is_ignoring_case(span_of(value), row->choices[i])) {
            *field = i;
            return STATUS_OK;
        }
    list_choices(row, accepts, sizeof accepts);
    return invalid_value(row->name, value, accepts, why);
}

static void *field_of(const ArgRow *row, void *into)
{
    return (char *)into + row->offset;
}

static Status set_value(const ArgRow *row, void *into, const char *value, Message *why)
{
    void *field = field_of(row, into);
    switch (row->kind) {
    case ARG_INT:
        return set_int(row, field, value, why);
    case ARG_REAL:
        return set_real(row, field, value, why);
    case ARG_CHOICE:
        return set_choice(row, field, value, why);
    case ARG_PARSED:
        return row->parse(value, field) ? STATUS_OK
                                        : invalid_value(row->name, value, row->accepts, why);
    case ARG_PATH:
        if (!value[0])
            return invalid_value(row->name, value, "the name of a file or directory", why);
        break;
    case ARG_FLAG:
    case ARG_TEXT:
        break;
    }
    *(const char **)field = value;
    return STATUS_OK;
}

/* -- Arguments -- */

/* The row for an argument; *value points behind the '=' of "--name=value", or is NULL. */
static const ArgRow *find_row(const ArgRow *rows, const char *arg, const char **value)
{
    Span rest = span_of(arg), name;
    *value = span_cut(&rest, '=', &name) ? rest.at : NULL;
    for (; rows && rows->name; rows++)
        if (span_is(name, rows->name))
            return rows;
    return NULL;
}

/* Options have two dashes, or the name of a row: -o. A dash alone is a word, of a FEN too. */
static bool is_option(const ArgRow *rows, const char *arg)
{
    const char *value;
    return arg[0] == '-' && arg[1] && (arg[1] == '-' || find_row(rows, arg, &value));
}

/* One option at argv[*i]; *i moves on when its value is the next argument. */
static Status parse_option(const ArgRow *rows, void *into, int argc, char **argv, int *i,
                           uint64_t *given, Message *why)
{
    const char *value;
    const ArgRow *row = find_row(rows, argv[*i], &value);
    if (!row)
        return status_fail(why, STATUS_INVALID, "unknown option '%s'", argv[*i]);
    *given |= UINT64_C(1) << (row - rows);
    if (row->kind == ARG_FLAG) {
        if (value)
            return status_fail(why, STATUS_INVALID, "unexpected value '%s' for %s", value,
                               row->name);
        *(bool *)field_of(row, into) = true;
        return STATUS_OK;
    }
    if (!value && *i + 1 >= argc)
        return status_fail(why, STATUS_INVALID, "missing value %s after %s",
                           row->value ? row->value : "", row->name);
    if (!value)
        value = argv[++*i];
    return set_value(row, into, value, why);
}

static Status parse_all(const ArgRow *rows, void *into, int argc, char **argv, ArgWords *words,
                        Message *why)
{
    *words = (ArgWords){.at = argv + 1};
    bool options = true;
    for (int i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
        } else if (options && is_option(rows, argv[i])) {
            Status s = parse_option(rows, into, argc, argv, &i, &words->given, why);
            if (s != STATUS_OK)
                return s;
        } else {
            words->at[words->count++] = argv[i];
        }
    }
    return STATUS_OK;
}

/* -- What must be there, and what must not -- */

static Status check_required(const ArgTable *t, const ArgWords *words, Message *why)
{
    for (const ArgRow *row = t->rows; row && row->name; row++)
        if (row->required && !(words->given >> (row - t->rows) & 1))
            return status_fail(why, STATUS_INVALID, "missing %s %s", row->name, row->value);
    return STATUS_OK;
}

static Status check_words(const ArgTable *t, const ArgWords *words, Message *why)
{
    Span names = span_of(t->words ? t->words : ""), name;
    bool any_number = t->words && !names.len;
    int most = 0;
    while (span_next_word(&names, &name)) {
        bool more = name.at[0] == '.';
        if (!more && name.at[0] != '[' && words->count == most)
            return status_fail(why, STATUS_INVALID, "missing %.*s", (int)name.len, name.at);
        any_number = any_number || more || span_is(name, "[FEN]");
        most += !more;
    }
    if (t->max_words)
        most = t->max_words;
    else if (any_number)
        most = words->count;
    if (words->count > most)
        return status_fail(why, STATUS_INVALID, "unexpected argument '%s'", words->at[most]);
    return STATUS_OK;
}

void args_set_defaults(const ArgTable *table, void *into)
{
    if (table->initial)
        memcpy(into, table->initial, table->size);
    if (table->defaults)
        table->defaults(into);
    for (const ArgRow *row = table->rows; row && row->name; row++)
        if (row->cores)
            store_int(row, field_of(row, into), thread_cpu_count());
}

Status args_parse(const ArgTable *table, void *into, int argc, char **argv, ArgWords *words,
                  Message *why)
{
    args_set_defaults(table, into);
    Status s = parse_all(table->rows, into, argc, argv, words, why);
    if (s == STATUS_OK)
        s = check_words(table, words, why);
    return s == STATUS_OK ? check_required(table, words, why) : s;
}

void args_join(const ArgWords *words, int first, Text *out)
{
    for (int i = first; i < words->count; i++) {
        if (i > first)
            text_add_char(out, ' ');
        text_add_str(out, words->at[i]);
    }
}

/* -- Values that several commands take -- */

Status args_position(const ArgWords *words, int first, bool chess960, Position *p, Message *why)
{
    Text fen = text_new();
    args_join(words, first, &fen);
    Span given = {fen.at, fen.len};
    Status s = fen_parse(p, words->count > first ? given : span_of(FEN_START), chess960, why);
    text_free(&fen);
    return s;
}

bool args_clock(const char *value, void *limits)
{
    return player_read_clock(limits, span_of(value), NULL) == STATUS_OK;
}
