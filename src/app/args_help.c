/* The usage line and the list of options, from the rows. */
#include "app/args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 96, NAME_COLUMNS_MAX = 26, SPELT_OUT_MAX = 8 };

/* Words, wrapped. */
typedef struct Line {
    Text *out;
    size_t used, indent; /* columns that are written; where the words begin */
} Line;

static void end_line(Line *line)
{
    text_add_char(line->out, '\n');
    line->used = 0;
}

static void add_word(Line *line, Span word)
{
    if (line->used > line->indent && line->used + 1 + word.len > COLUMNS)
        end_line(line);
    size_t blanks =
        line->used < line->indent ? line->indent - line->used : line->used > line->indent;
    text_addf(line->out, "%*s%.*s", (int)blanks, "", (int)word.len, word.at);
    line->used += blanks + word.len;
}

/* -- Usage -- */

static void add_row(Line *line, const ArgRow *row)
{
    char word[96];
    snprintf(word, sizeof word, "%s%s%s%s%s", row->required ? "" : "[", row->name,
             row->value ? " " : "", row->value ? row->value : "", row->required ? "" : "]");
    add_word(line, span_of(word));
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
    line.used = out->len - before;
    line.indent = line.used + 1;
    if (t->words && t->words[0])
        add_word(&line, span_of(t->words));
    bool spelt_out = count_rows(t) <= SPELT_OUT_MAX;
    for (const ArgRow *row = t->rows; row && row->name; row++)
        if (row->required || spelt_out)
            add_row(&line, row);
    if (!spelt_out)
        add_word(&line, span_of("[options]"));
    end_line(&line);
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

static void add_help_line(const ArgRow *row, int columns, const void *defaults, Text *out)
{
    int width = width_of(row);
    Line line = {.out = out, .used = (size_t)width + 2, .indent = (size_t)columns + 4};
    Text help = text_new();
    text_add_str(&help, row->help);
    if (defaults && !row->required)
        add_default(row, defaults, &help);
    text_addf(out, "  %s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
    if (width > columns)
        end_line(&line);
    Span rest = {help.at, help.len}, word;
    while (span_next_word(&rest, &word))
        add_word(&line, word);
    end_line(&line);
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
