/* Charts as SVG: lines, bands and points over two axes, alone or in panels; bars on a logarithmic
 * scale. Every function adds a whole picture; out->failed reports lost memory. */
#ifndef BASE_CHART_H
#define BASE_CHART_H

#include "base/text.h"

typedef struct ChartPoint {
    double x, y;
    double error;      /* half the length of an error bar, or half the height of a band; 0: none */
    bool hollow;       /* drawn empty, and skipped by the line */
    const char *title; /* tooltip; NULL: none */
} ChartPoint;

typedef enum ChartKind {
    CHART_LINE,
    CHART_BAND,  /* between y - error and y + error */
    CHART_POINTS /* small, without a line */
} ChartKind;

typedef struct ChartSeries {
    const char *name; /* for the legend; NULL: none */
    const ChartPoint *points;
    int count;
    int color; /* index of the palette, any number from 0 */
    bool dashed;
    bool dots; /* mark the points of a line */
    ChartKind kind;
} ChartSeries;

typedef struct Chart {
    const char *title, *x_label; /* x_label may be NULL */
    const ChartSeries *series;   /* each has at least one point */
    int count;
    double least_step; /* between lines of the grid */
    bool with_zero;    /* y = 0 is always visible */
    int decimals;      /* of the numbers at the y axis */
} Chart;

void chart_draw(const Chart *c, Text *out);

/* Small charts side by side, without legends, under a common title. */
void chart_draw_panels(const char *title, const char *subtitle, const Chart *panels, int count,
                       Text *out);

/* -- Bars -- */

enum { CHART_LABEL_SIZE = 64 };

typedef struct ChartBar {
    char label[CHART_LABEL_SIZE], note[CHART_LABEL_SIZE]; /* left and right of the bar */
    double value;                                         /* 1 or more */
    int color;
} ChartBar;

/* Bars with a title and a second line of text. */
typedef struct ChartBars {
    const char *title, *subtitle;
    const ChartBar *bars;
    int count;
} ChartBars;

/* All groups share a logarithmic scale. */
void chart_draw_bars(const char *title, const char *subtitle, const char *footnote,
                     const ChartBars *groups, int count, Text *out);

#endif
