#include "lab/lab_svg.h"

#include "base/chart.h"
#include "chess/fen.h"

#include <stdio.h>
#include <stdlib.h>

static void set_bar(const LabSheet *s, int row, ChartBar *bar)
{
    const LabTechnique *t = &s->techniques[row];
    const LabResult *r = &s->results[row];
    bool exact = lab_is_exact(t->switches);
    double percent;
    char nodes[LAB_COUNT_SIZE];
    lab_write_count(r->nodes, nodes);
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

void lab_svg(const LabSheet *sheets, int count, Text *out)
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
