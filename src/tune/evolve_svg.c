/* The picture: a panel for each weight, generations from left to right. */
#include "base/chart.h"
#include "tune/evolve_int.h"

#include <math.h>

enum {
    COLUMNS = 2,
    PANEL_WIDTH = 420,
    PANEL_HEIGHT = 220,
    LEFT = 52,
    RIGHT = 14,
    TOP = 30,
    BOTTOM = 30,
    HEAD = 56,
    MOST_LABELS = 8
};

typedef struct Panel {
    const EvolveState *s;
    int weight;
    double x, y; /* of its corner */
    double low, high, step;
} Panel;

static Panel panel_of(const EvolveState *s, int weight)
{
    Panel p = {.s = s, .weight = weight};
    p.x = (double)(weight % COLUMNS) * PANEL_WIDTH;
    p.y = HEAD + (double)(weight / COLUMNS) * PANEL_HEIGHT;
    p.low = s->generations[0].low[weight];
    p.high = s->generations[0].high[weight];
    for (int i = 1; i < s->count; i++) {
        p.low = fmin(p.low, s->generations[i].low[weight]);
        p.high = fmax(p.high, s->generations[i].high[weight]);
    }
    p.step = chart_step(fmax(1, (p.high - p.low) / 5));
    p.low = floor(p.low / p.step) * p.step;
    p.high = fmax(p.low + p.step, ceil(p.high / p.step) * p.step);
    return p;
}

static double x_of(const Panel *p, int generation)
{
    int most = p->s->count > 1 ? p->s->count - 1 : 1;
    return p->x + LEFT + (double)(PANEL_WIDTH - LEFT - RIGHT) * generation / most;
}

static double y_of(const Panel *p, double value)
{
    return p->y + TOP + (PANEL_HEIGHT - TOP - BOTTOM) * (p->high - value) / (p->high - p->low);
}

static void draw_axes(const Panel *p, Text *out)
{
    const ClassicEvalWeight *w = &p->s->config.evaluator->weights[p->weight];
    text_addf(out, "<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\">%s</text>\n", p->x + LEFT,
              p->y + TOP - 10, w->name);
    for (double v = p->low; v <= p->high + p->step / 2; v += p->step) {
        text_addf(out,
                  "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n"
                  "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                  p->x + LEFT, y_of(p, v), p->x + PANEL_WIDTH - RIGHT, y_of(p, v), p->x + LEFT - 6,
                  y_of(p, v) + 4, v);
    }
    int every = p->s->count / MOST_LABELS + 1;
    for (int i = 0; i < p->s->count; i += every)
        text_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>\n", x_of(p, i),
                  p->y + PANEL_HEIGHT - BOTTOM + 16, i);
}

/* The bounds as a band: their upper edge there, the lower one back. */
static void draw_bounds(const Panel *p, Text *out)
{
    text_add_str(out, "<polygon fill=\"#e4efe8\" points=\"");
    for (int i = 0; i < p->s->count; i++)
        text_addf(out, "%.1f,%.1f ", x_of(p, i), y_of(p, p->s->generations[i].high[p->weight]));
    for (int i = p->s->count - 1; i >= 0; i--)
        text_addf(out, "%.1f,%.1f ", x_of(p, i), y_of(p, p->s->generations[i].low[p->weight]));
    text_add_str(out, "\"/>\n");
}

/* Someone before in the slots has the same: one point is enough. */
static bool is_shown(const EvolveGeneration *g, int weight, int slot)
{
    for (int k = 0; k < slot; k++)
        if (g->people[k].weights[weight] == g->people[slot].weights[weight])
            return true;
    return false;
}

/* Points are lines of no length with round ends: the shortest way to say so many. */
static void draw_people(const Panel *p, Text *out)
{
    text_add_str(out,
                 "<path stroke=\"#b9853b\" stroke-width=\"3.2\" stroke-linecap=\"round\" d=\"");
    for (int i = 0; i < p->s->count; i++) {
        const EvolveGeneration *g = &p->s->generations[i];
        for (int k = 0; k < p->s->config.population; k++)
            if (!is_shown(g, p->weight, k))
                text_addf(out, "M%.1f %.1fh0", x_of(p, i),
                          y_of(p, g->people[k].weights[p->weight]));
    }
    text_add_str(out, "\"/>\n");
}

static void draw_mean(const Panel *p, Text *out)
{
    text_add_str(out, "<polyline fill=\"none\" stroke=\"#1f6f43\" stroke-width=\"2\" points=\"");
    for (int i = 0; i < p->s->count; i++) {
        double sum = 0;
        for (int k = 0; k < p->s->config.population; k++)
            sum += p->s->generations[i].people[k].weights[p->weight];
        text_addf(out, "%.1f,%.1f ", x_of(p, i), y_of(p, sum / (double)p->s->config.population));
    }
    text_add_str(out, "\"/>\n");
}

void evolve_svg(const EvolveState *s, Text *out)
{
    int count = s->config.evaluator->weight_count, rows = (count + COLUMNS - 1) / COLUMNS;
    int width = COLUMNS * PANEL_WIDTH, height = HEAD + rows * PANEL_HEIGHT;
    text_addf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
              "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
              "<text x=\"%d\" y=\"24\" font-size=\"15\">Weights by generation: %s</text>\n"
              "<text x=\"%d\" y=\"42\" fill=\"#555\">points: everyone; line: their mean; band: "
              "the bounds</text>\n",
              width, height, width, height, LEFT, s->config.evaluator->title, LEFT);
    for (int i = 0; i < count; i++) {
        Panel p = panel_of(s, i);
        draw_bounds(&p, out);
        draw_axes(&p, out);
        draw_people(&p, out);
        draw_mean(&p, out);
    }
    text_add_str(out, "</svg>\n");
}
