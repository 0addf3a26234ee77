#include "lab/lab_svg.h"

#include "chess/fen.h"

#include <math.h>

enum {
    WIDTH = 900,
    RIGHT = 190, /* room for the figures behind the longest bar */
    TOP = 64,
    ROW = 22,
    BAR = 15,
    PANEL_HEAD = 50,
    PANEL_FOOT = 34,
    BOTTOM = 34,
    LETTER = 8 /* width of one, for the names at the left */
};

typedef struct Chart {
    int left;    /* where the bars begin */
    int decades; /* powers of ten that the scale shows */
} Chart;

static int panel_height(const LabSheet *s)
{
    return PANEL_HEAD + s->count * ROW + PANEL_FOOT;
}

static Chart chart_of(const LabSheet *sheets, int count)
{
    Chart c = {.decades = 1};
    size_t longest = 10;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < sheets[i].count; k++) {
            size_t len = span_of(sheets[i].techniques[k].name).len;
            longest = len > longest ? len : longest;
            while (pow(10, c.decades) < (double)sheets[i].results[k].nodes)
                c.decades++;
        }
    }
    c.left = 24 + LETTER * (int)(longest + 2);
    return c;
}

static double x_of(const Chart *c, double nodes)
{
    double share = log10(fmax(1, nodes)) / c->decades;
    return c->left + (WIDTH - RIGHT - c->left) * share;
}

static void add_escaped(const char *text, Text *out)
{
    for (; *text; text++) {
        unsigned char b = (unsigned char)*text;
        if (b == '<')
            text_add_str(out, "&lt;");
        else if (b == '>')
            text_add_str(out, "&gt;");
        else if (b == '&')
            text_add_str(out, "&amp;");
        else
            text_add_char(out, b >= 0x20 && b < 0x7f ? (char)b : '?');
    }
}

static void add_title(const LabSheet *s, int y, Text *out)
{
    char fen[FEN_SIZE];
    fen_write(&s->position, FEN_X, fen);
    text_addf(out, "<text x=\"24\" y=\"%d\" font-weight=\"bold\">", y);
    add_escaped(s->name, out);
    text_addf(out, "</text>\n<text x=\"24\" y=\"%d\" fill=\"#555\">%s</text>\n", y + 17, fen);
}

/* "1", "10", "100", "1k" ... short enough to stand side by side. */
static void add_power(int exponent, Text *out)
{
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    static const char *const ones[] = {"1", "10", "100"};
    text_addf(out, "%s%s", ones[exponent % 3], units[exponent / 3]);
}

static void add_scale(const Chart *c, int top, int bottom, Text *out)
{
    for (int i = 0; i <= c->decades; i++) {
        double x = x_of(c, pow(10, i));
        text_addf(out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n", x,
                  top, x, bottom);
        text_addf(out,
                  "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\" "
                  "fill=\"#555\">",
                  x, bottom + 15);
        add_power(i, out);
        text_add_str(out, "</text>\n");
    }
}

static void add_bar(const Chart *c, const LabSheet *s, int row, int y, Text *out)
{
    const LabTechnique *t = &s->techniques[row];
    const LabResult *r = &s->results[row];
    bool exact = lab_is_exact(t->switches);
    double end = x_of(c, (double)r->nodes), percent;
    char nodes[LAB_COUNT_SIZE];
    lab_write_count(r->nodes, nodes);
    text_addf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s%s</text>\n", c->left - 8, y + 12,
              t->name, exact ? "" : " *");
    text_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", c->left,
              y, fmax(1, end - c->left), BAR, exact ? "#1f6f43" : "#b9853b");
    text_addf(out, "<text x=\"%.1f\" y=\"%d\">%s", end + 6, y + 12, nodes);
    if (!r->finished)
        text_add_str(out, " (not finished)");
    else if (lab_saving(s, row, &percent))
        text_addf(out, " (%+.1f %%)", -percent);
    text_add_str(out, "</text>\n");
}

static void add_panel(const Chart *c, const LabSheet *s, int top, Text *out)
{
    int first = top + PANEL_HEAD;
    add_title(s, top + 18, out);
    add_scale(c, first - 6, first + s->count * ROW, out);
    for (int i = 0; i < s->count; i++)
        add_bar(c, s, i, first + i * ROW, out);
}

void lab_svg(const LabSheet *sheets, int count, Text *out)
{
    Chart c = chart_of(sheets, count);
    int height = TOP + BOTTOM;
    for (int i = 0; i < count; i++)
        height += panel_height(&sheets[i]);
    text_addf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
              "height=\"%d\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
              "<text x=\"24\" y=\"30\" font-size=\"18\">Nodes visited by each technique</text>\n"
              "<text x=\"24\" y=\"50\" fill=\"#555\">logarithmic scale; in brackets the "
              "difference to minimax</text>\n",
              WIDTH, height, WIDTH, height);
    int y = TOP;
    for (int i = 0; i < count; i++) {
        add_panel(&c, &sheets[i], y, out);
        y += panel_height(&sheets[i]);
    }
    text_addf(out,
              "<text x=\"24\" y=\"%d\" fill=\"#555\">* not exact: may give another value than "
              "minimax</text>\n</svg>\n",
              height - 12);
}
