#include "base/chart.h"
#include "base/svg.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 900, MARGIN = 24, TOP = 64, BOTTOM = 34 };
enum { NOTE_WIDTH = 190 /* right of the longest bar */, LETTER = 8 /* in labels */ };
enum { GROUP_HEAD = 50, GROUP_FOOT = 34, ROW = 22, BAR = 15 };

static const char *const bar_colors[] = {"#1f6f43", "#b9853b"};

typedef struct Scale {
    int left;    /* where the bars start */
    int decades; /* powers of ten on the scale */
} Scale;

static int group_height(const ChartBars *g)
{
    return GROUP_HEAD + g->count * ROW + GROUP_FOOT;
}

static Scale scale_of(const ChartBars *groups, int count)
{
    Scale s = {.decades = 1};
    size_t longest = 10;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < groups[i].count; k++) {
            size_t len = span_of(groups[i].bars[k].label).len;
            longest = len > longest ? len : longest;
            while (pow(10, s.decades) < groups[i].bars[k].value)
                s.decades++;
        }
    }
    s.left = MARGIN + LETTER * (int)longest;
    return s;
}

static double x_of(const Scale *s, double value)
{
    double share = log10(fmax(1, value)) / s->decades;
    return s->left + (WIDTH - NOTE_WIDTH - s->left) * share;
}

/* "1", "10", "100", "1k" ...: short enough to fit side by side. */
static void draw_scale(const Scale *s, int top, int bottom, Text *out)
{
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    static const char *const ones[] = {"1", "10", "100"};
    for (int i = 0; i <= s->decades; i++) {
        char power[8];
        double x = x_of(s, pow(10, i));
        snprintf(power, sizeof power, "%s%s", ones[i % 3], units[i / 3 % 7]);
        svg_line(out, x, top, x, bottom, "#ddd");
        svg_text(out, x, bottom + 15, "text-anchor=\"middle\" font-size=\"11\" fill=\"#555\"",
                 power);
    }
}

static void draw_bar(const Scale *s, const ChartBar *b, int y, Text *out)
{
    double end = x_of(s, b->value);
    svg_text(out, s->left - 8, y + 12, "text-anchor=\"end\"", b->label);
    text_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", s->left,
              y, fmax(1, end - s->left), BAR, bar_colors[b->color % 2]);
    svg_text(out, end + 6, y + 12, "", b->note);
}

static void draw_group(const Scale *s, const ChartBars *g, int top, Text *out)
{
    int first = top + GROUP_HEAD;
    svg_text(out, MARGIN, top + 18, "font-weight=\"bold\"", g->title);
    svg_text(out, MARGIN, top + 35, "fill=\"#555\"", g->subtitle);
    draw_scale(s, first - 6, first + g->count * ROW, out);
    for (int i = 0; i < g->count; i++)
        draw_bar(s, &g->bars[i], first + i * ROW, out);
}

void chart_draw_bars(const char *title, const char *subtitle, const char *footnote,
                     const ChartBars *groups, int count, Text *out)
{
    Scale s = scale_of(groups, count);
    int height = TOP + BOTTOM;
    for (int i = 0; i < count; i++)
        height += group_height(&groups[i]);
    svg_begin(out, WIDTH, height, 13);
    svg_text(out, MARGIN, 30, "font-size=\"18\"", title);
    svg_text(out, MARGIN, 50, "fill=\"#555\"", subtitle);
    int y = TOP;
    for (int i = 0; i < count; i++) {
        draw_group(&s, &groups[i], y, out);
        y += group_height(&groups[i]);
    }
    svg_text(out, MARGIN, height - 12, "fill=\"#555\"", footnote);
    svg_end(out);
}
