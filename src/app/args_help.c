/* The usage line and the list of options, from the rows. */
#include "app/args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 96, NAME_COLUMNS_MAX = 26, SPELT_OUT_MAX = 8 };

/* -- Usage -- */

typedef struct Line {
    Text *out;
    size_t used, indent;
} Line;

/* A word of the usage, on the next line where this one is full. */
static void add_word(Line *line, const char *word)
{
    size_t len = strlen(word);
    if (line->used + 1 + len > COLUMNS) {
        text_addf(line->out, "\n%*s", (int)line->indent, "");
        line->used = line->indent;
    }
    text_addf(line->out, " %s", word);
    line->used += 1 + len;
}

static void add_row(Line *line, const ArgRow *row)
{
    char word[96];
    snprintf(word, sizeof word, "%s%s%s%s%s", row->required ? "" : "[", row->name,
             row->value ? " " : "", row->value ? row->value : "", row->required ? "" : "]");
    add_word(line, word);
}

static int count_rows(const ArgTable *t)
{
    int count = 0;
    for (const ArgRow *row = t->rows; row && row->name; row++)
        count++;
    return count;
}

void args_usage(const ArgTable *t, const char *head, const char *name, Text *out)
{
    Line line = {.out = out};
    size_t before = out->len;
    text_addf(out, "%scastellan %s", head, name);
    line.used = line.indent = out->len - before;
    if (t->words && t->words[0])
        add_word(&line, t->words);
    bool spelt_out = count_rows(t) <= SPELT_OUT_MAX;
    for (const ArgRow *row = t->rows; row && row->name; row++)
        if (row->required || spelt_out)
            add_row(&line, row);
    if (!spelt_out)
        add_word(&line, "[options]");
    text_add_char(out, '\n');
}

/* -- Options -- */

static int width_of(const ArgRow *row)
{
    return (int)(strlen(row->name) + (row->value ? 1 + strlen(row->value) : 0));
}

static int name_columns(const ArgTable *t)
{
    int widest = 0;
    for (const ArgRow *row = t->rows; row && row->name; row++)
        if (width_of(row) > widest && width_of(row) <= NAME_COLUMNS_MAX)
            widest = width_of(row);
    return widest;
}

static void add_number_default(const ArgRow *row, const void *field, Text *out)
{
    if (row->cores) {
        text_add_str(out, " (default: number of cores)");
        return;
    }
    int64_t value = row->size == sizeof(int) ? *(const int *)field : *(const int64_t *)field;
    if (value >= row->min && value <= row->max)
        text_addf(out, " (default %" PRId64 ")", value);
}

/* A value outside of the range, or no text, means that there is no default. */
static void add_default(const ArgRow *row, const void *defaults, Text *out)
{
    const void *field = (const char *)defaults + row->offset;
    switch (row->kind) {
    case ARG_INT:
        add_number_default(row, field, out);
        break;
    case ARG_REAL:
        if (*(const double *)field >= row->low && *(const double *)field <= row->high)
            text_addf(out, " (default %g)", *(const double *)field);
        break;
    case ARG_CHOICE:
        text_addf(out, " (default %s)", row->choices[*(const int *)field]);
        break;
    case ARG_TEXT:
    case ARG_PATH:
        if (*(const char *const *)field)
            text_addf(out, " (default %s)", *(const char *const *)field);
        break;
    case ARG_FLAG:
    case ARG_PARSED:
        break;
    }
}

/* Words of the text, wrapped; `indent` columns are on the line already. */
static void add_wrapped(const Text *text, size_t indent, Text *out)
{
    Span rest = {text->at, text->len}, word;
    size_t used = indent;
    while (span_next_word(&rest, &word)) {
        if (used > indent && used + 1 + word.len > COLUMNS) {
            text_addf(out, "\n%*s", (int)indent, "");
            used = indent;
        }
        if (used > indent)
            text_add_char(out, ' ');
        used += word.len + (used > indent);
        text_add(out, word.at, word.len);
    }
    text_add_char(out, '\n');
}

static void add_help_line(const ArgRow *row, int columns, const void *defaults, Text *out)
{
    int width = width_of(row);
    Text help = text_new();
    text_add_str(&help, row->help);
    if (defaults && !row->required)
        add_default(row, defaults, &help);
    text_addf(out, "  %s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
    if (width > columns)
        text_addf(out, "\n%*s", columns + 4, "");
    else
        text_addf(out, "%*s", columns - width + 2, "");
    add_wrapped(&help, (size_t)columns + 4, out);
    text_free(&help);
}

void args_help(const ArgTable *t, Text *out)
{
    void *defaults = calloc(1, t->size ? t->size : 1);
    if (defaults)
        args_set_defaults(t, defaults);
    int columns = name_columns(t);
    for (const ArgRow *row = t->rows; row && row->name; row++)
        add_help_line(row, columns, defaults, out);
    free(defaults);
}
