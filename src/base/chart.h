/* Line charts as SVG: losses by epoch, Elo by generation. */
#ifndef BASE_CHART_H
#define BASE_CHART_H

#include "base/text.h"

typedef struct ChartPoint {
    double x, y;
    double error;      /* half of a bar; 0: none */
    bool hollow;       /* drawn empty, and the line passes it by */
    const char *title; /* shown on pointing at it; NULL: none */
} ChartPoint;

typedef struct ChartSeries {
    const char *name; /* for the legend; NULL: none */
    const ChartPoint *points;
    int count;
    int color; /* which of the palette's, any number from 0 */
    bool dashed;
    bool dots; /* mark the points */
} ChartSeries;

typedef struct Chart {
    const char *title, *x_label;
    const ChartSeries *series;
    int count;
    double least_step; /* between lines of the grid */
    bool with_zero;    /* y = 0 is always on it */
    int decimals;      /* of the numbers at the side */
} Chart;

/* The nearest step above `wanted` that people like at an axis: 1, 2 or 5 times a power of ten. */
double chart_step(double wanted);

/* Adds the picture; out->failed tells of lost memory. Every series has a point. */
void chart_draw(const Chart *c, Text *out);

#endif
