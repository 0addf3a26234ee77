#include "app/args.h"

#include <inttypes.h>
#include <string.h>

Status args_number(const char *name, const char *word, int64_t min, int64_t max, int64_t *out,
                   Message *why)
{
    if (span_to_int64(span_of(word), min, max, out))
        return STATUS_OK;
    return status_fail(why, STATUS_INVALID,
                       "%s wants a number from %" PRId64 " to %" PRId64 ", not '%s'", name, min,
                       max, word);
}

/* The row for an argument; *value points behind the '=' of "--name=value", or is NULL. */
static const ArgRow *find_row(const ArgRow *rows, const char *arg, const char **value)
{
    const char *equals = strchr(arg, '=');
    Span name = equals ? (Span){arg, (size_t)(equals - arg)} : span_of(arg);
    *value = equals ? equals + 1 : NULL;
    for (; rows->name; rows++)
        if (span_is(name, rows->name))
            return rows;
    return NULL;
}

static Status set_row(const ArgRow *row, const char *value, Message *why)
{
    if (row->kind == ARG_INT)
        return args_number(row->name, value, row->min, row->max, row->into, why);
    *(const char **)row->into = value;
    return STATUS_OK;
}

/* Options have two dashes, or the name of a row: -o. A dash alone is a word, of a FEN too. */
static bool is_option(const ArgRow *rows, const char *arg)
{
    const char *value;
    return arg[0] == '-' && arg[1] && (arg[1] == '-' || find_row(rows, arg, &value));
}

/* One option at argv[*i]; *i moves on when its value is the next argument. */
static Status parse_option(const ArgRow *rows, int argc, char **argv, int *i, Message *why)
{
    const char *value;
    const ArgRow *row = find_row(rows, argv[*i], &value);
    if (!row)
        return status_fail(why, STATUS_INVALID, "unknown option '%s'", argv[*i]);
    if (row->kind == ARG_FLAG) {
        if (value)
            return status_fail(why, STATUS_INVALID, "%s takes no value", row->name);
        *(bool *)row->into = true;
        return STATUS_OK;
    }
    if (!value && *i + 1 >= argc)
        return status_fail(why, STATUS_INVALID, "%s wants a value", row->name);
    if (!value)
        value = argv[++*i];
    return set_row(row, value, why);
}

Status args_parse(const ArgRow *rows, int argc, char **argv, ArgWords *words, Message *why)
{
    *words = (ArgWords){argv + 1, 0};
    bool options = true;
    for (int i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
        } else if (options && is_option(rows, argv[i])) {
            Status s = parse_option(rows, argc, argv, &i, why);
            if (s != STATUS_OK)
                return s;
        } else {
            words->at[words->count++] = argv[i];
        }
    }
    return STATUS_OK;
}

void args_join(const ArgWords *words, int first, Text *out)
{
    for (int i = first; i < words->count; i++) {
        if (i > first)
            text_add_char(out, ' ');
        text_add_str(out, words->at[i]);
    }
}

Status args_parse_no_words(const ArgRow *rows, int argc, char **argv, Message *why)
{
    ArgWords words;
    Status s = args_parse(rows, argc, argv, &words, why);
    if (s == STATUS_OK && words.count)
        s = status_fail(why, STATUS_INVALID, "what is '%s' for?", words.at[0]);
    return s;
}
