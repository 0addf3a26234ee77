#include "lab/lab_table.h"

#include "base/chart.h"
#include "chess/fen.h"
#include "chess/san.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT_SIZE = 32 };

static const LabResult *minimax_of(const LabSheet *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->techniques[i].switches == 0)
            return &s->results[i];
    return NULL;
}

bool lab_saving(const LabSheet *s, int row, double *percent)
{
    const LabResult *all = minimax_of(s), *r = &s->results[row];
    if (!all || all == r || !all->finished || !r->finished)
        return false;
    *percent = 100.0 * (1.0 - (double)r->nodes / (double)all->nodes);
    return true;
}

/* As people read it: "1,070,064". */
static void write_count(uint64_t n, char out[COUNT_SIZE])
{
    char digits[COUNT_SIZE];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

static void write_value(const LabResult *r, char *out, size_t size)
{
    if (r->depth == 0)
        snprintf(out, size, "-");
    else if (score_is_mate(r->value))
        snprintf(out, size, "mate %d", score_mate_moves(r->value));
    else
        snprintf(out, size, "%+.2f", r->value / 100.0);
}

static void write_move(const LabSheet *s, const LabResult *r, char out[SAN_SIZE])
{
    if (r->move == MOVE_NONE)
        snprintf(out, SAN_SIZE, "-");
    else
        san_write(&s->position, r->move, out);
}

static void add_row(const LabSheet *s, int i, int width, Text *out)
{
    const LabTechnique *t = &s->techniques[i];
    const LabResult *r = &s->results[i];
    char nodes[COUNT_SIZE], value[24], move[SAN_SIZE], saving[24] = "-";
    double percent;
    write_count(r->nodes, nodes);
    write_value(r, value, sizeof value);
    write_move(s, r, move);
    if (lab_saving(s, i, &percent))
        snprintf(saving, sizeof saving, "%.2f %%", percent);
    text_addf(out, "  %-*s %c %14s %11.2f ms %5d %9s  %-8s %10s%s\n", width, t->name,
              lab_is_exact(t->switches) ? ' ' : '*', nodes, (double)r->time_ns / 1e6, r->depth,
              value, move, saving, r->finished ? "" : "  not finished");
}

static int name_width(const LabSheet *s)
{
    int width = 10;
    for (int i = 0; i < s->count; i++) {
        int len = (int)span_of(s->techniques[i].name).len;
        width = len > width ? len : width;
    }
    return width;
}

void lab_table_text(const LabSheet *s, Text *out)
{
    char fen[FEN_SIZE];
    int width = name_width(s);
    bool starred = false;
    fen_write(&s->position, FEN_X, fen);
    text_addf(out, "%s%s%s\n", s->name, *s->name ? ": " : "", fen);
    text_addf(out, "  %-*s   %14s %14s %5s %9s  %-8s %10s\n", width, "technique", "nodes", "time",
              "depth", "value", "move", "saving");
    for (int i = 0; i < s->count; i++) {
        add_row(s, i, width, out);
        starred |= !lab_is_exact(s->techniques[i].switches);
    }
    if (starred)
        text_add_str(out, "  * not exact: may give another value than minimax\n");
}

void lab_table_csv_head(Text *out)
{
    text_add_str(out, "position,fen,technique,exact,nodes,time_ms,depth,value,mate,move,"
                      "saving_percent,finished\n");
}

/* Quoted, since names come from the user's files. */
static void add_quoted(const char *text, Text *out)
{
    text_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            text_add_char(out, '"');
        text_add_char(out, *text);
    }
    text_add_char(out, '"');
}

/* A value is in centipawns, or a mate in moves: the other column is empty. */
static void add_value(const LabResult *r, Text *out)
{
    if (r->depth == 0)
        text_add_char(out, ',');
    else if (score_is_mate(r->value))
        text_addf(out, ",%d", score_mate_moves(r->value));
    else
        text_addf(out, "%d,", r->value);
}

void lab_table_csv(const LabSheet *s, Text *out)
{
    char fen[FEN_SIZE];
    fen_write(&s->position, FEN_X, fen);
    for (int i = 0; i < s->count; i++) {
        const LabTechnique *t = &s->techniques[i];
        const LabResult *r = &s->results[i];
        char move[SAN_SIZE];
        double percent;
        write_move(s, r, move);
        add_quoted(s->name, out);
        text_addf(out, ",%s,%s,%s,%" PRIu64 ",%.3f,%d,", fen, t->name,
                  lab_is_exact(t->switches) ? "yes" : "no", r->nodes, (double)r->time_ns / 1e6,
                  r->depth);
        add_value(r, out);
        text_addf(out, ",%s,", move);
        if (lab_saving(s, i, &percent))
            text_addf(out, "%.4f", percent);
        text_addf(out, ",%s\n", r->finished ? "yes" : "no");
    }
}

/* -- The picture -- */

static void set_bar(const LabSheet *s, int row, ChartBar *bar)
{
    const LabTechnique *t = &s->techniques[row];
    const LabResult *r = &s->results[row];
    bool exact = lab_is_exact(t->switches);
    double percent;
    char nodes[COUNT_SIZE];
    write_count(r->nodes, nodes);
    bar->value = (double)r->nodes;
    bar->color = exact ? 0 : 1;
    snprintf(bar->label, sizeof bar->label, "%s%s", t->name, exact ? "" : " *");
    if (!r->finished)
        snprintf(bar->note, sizeof bar->note, "%s (not finished)", nodes);
    else if (lab_saving(s, row, &percent))
        snprintf(bar->note, sizeof bar->note, "%s (%+.1f %%)", nodes, -percent);
    else
        snprintf(bar->note, sizeof bar->note, "%s", nodes);
}

void lab_table_svg(const LabSheet *sheets, int count, Text *out)
{
    ChartBars *groups = calloc((size_t)count, sizeof *groups);
    ChartBar *bars = calloc((size_t)count * LAB_MAX_TECHNIQUES, sizeof *bars);
    char(*fens)[FEN_SIZE] = calloc((size_t)count, sizeof *fens);
    for (int i = 0; groups && bars && fens && i < count; i++) {
        ChartBar *first = bars + (size_t)i * LAB_MAX_TECHNIQUES;
        fen_write(&sheets[i].position, FEN_X, fens[i]);
        groups[i] = (ChartBars){sheets[i].name, fens[i], first, sheets[i].count};
        for (int k = 0; k < sheets[i].count; k++)
            set_bar(&sheets[i], k, &first[k]);
    }
    if (groups && bars && fens)
        chart_draw_bars("Nodes searched by each technique",
                        "logarithmic scale; difference to minimax in parentheses",
                        "* not exact: the value may differ from minimax", groups, count, out);
    else
        out->failed = true;
    free(groups);
    free(bars);
    free(fens);
}
