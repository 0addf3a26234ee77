#include "base/chart.h"

#include "base/svg.h"

#include <math.h>
#include <stdio.h>

enum { LABEL_PIXELS = 28 /* space that a number at the x axis needs */ };

static const char *const palette[] = {"#1f6f43", "#b3541e", "#2c5aa0", "#7a3b8f", "#8a7a12"};

/* Where a chart is drawn, and what its axes span. */
typedef struct Frame {
    double x, y, width, height; /* of the area between the axes */
    double left, right, low, high, step;
} Frame;

/* The nearest step above `wanted` that reads well at an axis: 1, 2 or 5 times a power of ten. */
static double round_step(double wanted)
{
    double power = pow(10, floor(log10(wanted)));
    double part = wanted / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static void set_axes(Frame *f, const Chart *c)
{
    const ChartPoint *first = c->series[0].points;
    f->left = f->right = first->x;
    f->low = f->high = c->with_zero ? 0 : first->y;
    for (int i = 0; i < c->count; i++) {
        for (int k = 0; k < c->series[i].count; k++) {
            const ChartPoint *p = &c->series[i].points[k];
            f->left = fmin(f->left, p->x);
            f->right = fmax(f->right, p->x);
            f->low = fmin(f->low, p->y - p->error);
            f->high = fmax(f->high, p->y + p->error);
        }
    }
    if (f->right <= f->left)
        f->right = f->left + 1;
    f->step = round_step(fmax(c->least_step, (f->high - f->low) / 6));
    f->low = floor(f->low / f->step) * f->step;
    f->high = fmax(f->low + f->step, ceil(f->high / f->step) * f->step);
}

static double x_of(const Frame *f, double x)
{
    return f->x + f->width * (x - f->left) / (f->right - f->left);
}

static double y_of(const Frame *f, double y)
{
    return f->y + f->height * (f->high - y) / (f->high - f->low);
}

static const char *color_of(int color)
{
    return palette[(size_t)color % (sizeof palette / sizeof *palette)];
}

/* -- One chart -- */

static void draw_axes(const Chart *c, const Frame *f, Text *out)
{
    char number[32];
    int lines = (int)lround((f->high - f->low) / f->step);
    for (int i = 0; i <= lines; i++) {
        double value = f->low + i * f->step, y = y_of(f, value);
        svg_line(out, f->x, y, f->x + f->width, y, "#ddd");
        snprintf(number, sizeof number, "%.*f", c->decimals, value);
        svg_text(out, f->x - 8, y + 4, "text-anchor=\"end\"", number);
    }
    double every = floor((f->right - f->left) * LABEL_PIXELS / f->width) + 1;
    for (double x = f->left; x <= f->right; x += every) {
        snprintf(number, sizeof number, "%.0f", x);
        svg_text(out, x_of(f, x), f->y + f->height + 20, "text-anchor=\"middle\"", number);
    }
}

static void draw_line(const ChartSeries *s, const Frame *f, Text *out)
{
    text_addf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"",
              color_of(s->color), s->dashed ? " stroke-dasharray=\"5 4\"" : "");
    for (int i = 0; i < s->count; i++)
        if (!s->points[i].hollow)
            text_addf(out, "%.1f,%.1f ", x_of(f, s->points[i].x), y_of(f, s->points[i].y));
    text_add_str(out, "\"/>\n");
}

/* The upper edge from left to right, the lower one back. */
static void draw_band(const ChartSeries *s, const Frame *f, Text *out)
{
    text_addf(out, "<polygon fill=\"%s\" fill-opacity=\"0.12\" points=\"", color_of(s->color));
    for (int i = 0; i < s->count; i++)
        text_addf(out, "%.1f,%.1f ", x_of(f, s->points[i].x),
                  y_of(f, s->points[i].y + s->points[i].error));
    for (int i = s->count - 1; i >= 0; i--)
        text_addf(out, "%.1f,%.1f ", x_of(f, s->points[i].x),
                  y_of(f, s->points[i].y - s->points[i].error));
    text_add_str(out, "\"/>\n");
}

/* Lines of length 0 with round ends: the shortest way to draw many points. */
static void draw_points(const ChartSeries *s, const Frame *f, Text *out)
{
    text_addf(out, "<path stroke=\"%s\" stroke-width=\"3.2\" stroke-linecap=\"round\" d=\"",
              color_of(s->color));
    for (int i = 0; i < s->count; i++)
        text_addf(out, "M%.1f %.1fh0", x_of(f, s->points[i].x), y_of(f, s->points[i].y));
    text_add_str(out, "\"/>\n");
}

static void draw_dot(const ChartSeries *s, const ChartPoint *p, const Frame *f, Text *out)
{
    const char *color = color_of(s->color);
    double x = x_of(f, p->x);
    if (p->error > 0)
        svg_line(out, x, y_of(f, p->y - p->error), x, y_of(f, p->y + p->error), color);
    text_addf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\" stroke=\"%s\">", x,
              y_of(f, p->y), p->hollow ? "#fff" : color, color);
    if (p->title) {
        text_add_str(out, "<title>");
        svg_escape(out, p->title);
        text_add_str(out, "</title>");
    }
    text_add_str(out, "</circle>\n");
}

static void draw_series(const ChartSeries *s, const Frame *f, Text *out)
{
    if (s->kind == CHART_BAND)
        draw_band(s, f, out);
    else if (s->kind == CHART_POINTS)
        draw_points(s, f, out);
    else
        draw_line(s, f, out);
    for (int k = 0; s->dots && k < s->count; k++)
        draw_dot(s, &s->points[k], f, out);
}

/* Bands first: the grid and the lines are drawn over them. */
static void draw_frame(const Chart *c, Frame *f, Text *out)
{
    set_axes(f, c);
    for (int i = 0; i < c->count; i++)
        if (c->series[i].kind == CHART_BAND)
            draw_series(&c->series[i], f, out);
    draw_axes(c, f, out);
    for (int i = 0; i < c->count; i++)
        if (c->series[i].kind != CHART_BAND)
            draw_series(&c->series[i], f, out);
}

/* -- Pictures -- */

enum { WIDTH = 640, HEIGHT = 400, LEGEND_LINE = 18, LEFT = 70 };

static int legend_height(const Chart *c)
{
    int named = 0;
    for (int i = 0; i < c->count; i++)
        named += c->series[i].name != NULL;
    return named ? (named + 1) * LEGEND_LINE : 0;
}

/* Below the chart, where no line can cross it. */
static void draw_legend(const Chart *c, Text *out)
{
    int y = HEIGHT + LEGEND_LINE;
    for (int i = 0; i < c->count; i++) {
        const ChartSeries *s = &c->series[i];
        if (!s->name)
            continue;
        text_addf(out,
                  "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" "
                  "stroke-width=\"2\"%s/>\n",
                  LEFT, y - 4, LEFT + 30, y - 4, color_of(s->color),
                  s->dashed ? " stroke-dasharray=\"5 4\"" : "");
        svg_text(out, LEFT + 38, y, "", s->name);
        y += LEGEND_LINE;
    }
}

void chart_draw(const Chart *c, Text *out)
{
    Frame f = {.x = LEFT, .y = 40, .width = WIDTH - LEFT - 20, .height = HEIGHT - 90};
    svg_begin(out, WIDTH, HEIGHT + legend_height(c), 12);
    svg_text(out, LEFT, 24, "font-size=\"15\"", c->title);
    draw_frame(c, &f, out);
    if (c->x_label)
        svg_text(out, f.x + f.width / 2, HEIGHT - 10, "text-anchor=\"middle\"", c->x_label);
    draw_legend(c, out);
    svg_end(out);
}

enum { PANEL_WIDTH = 420, PANEL_HEIGHT = 220, PANEL_COLUMNS = 2, PANEL_HEAD = 56 };

void chart_draw_panels(const char *title, const char *subtitle, const Chart *panels, int count,
                       Text *out)
{
    int rows = (count + PANEL_COLUMNS - 1) / PANEL_COLUMNS;
    svg_begin(out, PANEL_COLUMNS * PANEL_WIDTH, PANEL_HEAD + rows * PANEL_HEIGHT, 12);
    svg_text(out, LEFT, 24, "font-size=\"15\"", title);
    svg_text(out, LEFT, 42, "fill=\"#555\"", subtitle);
    for (int i = 0; i < count; i++) {
        Frame f = {.x = LEFT + (double)(i % PANEL_COLUMNS) * PANEL_WIDTH,
                   .y = PANEL_HEAD + 30 + (double)(i / PANEL_COLUMNS) * PANEL_HEIGHT,
                   .width = PANEL_WIDTH - LEFT - 14,
                   .height = PANEL_HEIGHT - 60};
        svg_text(out, f.x, f.y - 10, "font-weight=\"bold\"", panels[i].title);
        draw_frame(&panels[i], &f, out);
    }
    svg_end(out);
}
