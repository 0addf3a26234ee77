/* The chart: a panel for each weight, generations from left to right. */
#include "base/chart.h"
#include "tune/evolve_int.h"

#include <stdio.h>
#include <stdlib.h>

enum { SERIES = 3 }; /* bounds, weight sets, mean */

typedef struct Panel {
    ChartSeries series[SERIES];
    ChartPoint *points; /* of all series */
} Panel;

/* An earlier weight set has the same value: one point is enough. */
static bool is_shown(const EvolveGeneration *g, int weight, int slot)
{
    for (int k = 0; k < slot; k++)
        if (g->people[k].weights[weight] == g->people[slot].weights[weight])
            return true;
    return false;
}

static bool fill_panel(Panel *panel, const EvolveState *s, int weight)
{
    size_t population = (size_t)s->config.population, generations = (size_t)s->count;
    panel->points = calloc(generations * (2 + population), sizeof *panel->points);
    if (!panel->points)
        return false;
    ChartPoint *bounds = panel->points, *mean = bounds + generations, *sets = mean + generations;
    int shown = 0;
    for (int i = 0; i < s->count; i++) {
        const EvolveGeneration *g = &s->generations[i];
        double low = g->low[weight], high = g->high[weight], sum = 0;
        for (int k = 0; k < s->config.population; k++) {
            sum += g->people[k].weights[weight];
            if (!is_shown(g, weight, k))
                sets[shown++] = (ChartPoint){.x = i, .y = g->people[k].weights[weight]};
        }
        bounds[i] = (ChartPoint){.x = i, .y = (low + high) / 2, .error = (high - low) / 2};
        mean[i] = (ChartPoint){.x = i, .y = sum / (double)population};
    }
    panel->series[0] = (ChartSeries){.points = bounds, .count = s->count, .kind = CHART_BAND};
    panel->series[1] =
        (ChartSeries){.points = sets, .count = shown, .color = 1, .kind = CHART_POINTS};
    panel->series[2] = (ChartSeries){.points = mean, .count = s->count};
    return true;
}

void evolve_svg(const EvolveState *s, Text *out)
{
    int count = s->config.evaluator->weight_count;
    Panel *panels = calloc((size_t)count, sizeof *panels);
    Chart *charts = calloc((size_t)count, sizeof *charts);
    bool fine = panels && charts;
    for (int i = 0; fine && i < count; i++) {
        fine = fill_panel(&panels[i], s, i);
        charts[i] = (Chart){.title = s->config.evaluator->weights[i].name,
                            .series = panels[i].series,
                            .count = SERIES,
                            .least_step = 1};
    }
    char title[128];
    snprintf(title, sizeof title, "Weights by generation: %s", s->config.evaluator->title);
    if (fine)
        chart_draw_panels(title, "points: weight sets; line: mean; band: bounds", charts, count,
                          out);
    else
        out->failed = true;
    for (int i = 0; panels && i < count; i++)
        free(panels[i].points);
    free(panels);
    free(charts);
}
