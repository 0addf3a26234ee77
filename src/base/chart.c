#include "base/chart.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 400, LEFT = 70, RIGHT = 20, TOP = 40, BOTTOM = 50, LEGEND_LINE = 18 };

static const char *const palette[] = {"#1f6f43", "#b3541e", "#2c5aa0", "#7a3b8f", "#8a7a12"};

typedef struct Axes {
    double left, right, low, high, step;
} Axes;

double chart_step(double wanted)
{
    double power = pow(10, floor(log10(wanted)));
    double part = wanted / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static Axes axes_of(const Chart *c)
{
    const ChartPoint *first = c->series[0].points;
    Axes a = {.left = first->x, .right = first->x, .low = first->y, .high = first->y};
    if (c->with_zero)
        a.low = a.high = 0;
    for (int i = 0; i < c->count; i++) {
        for (int k = 0; k < c->series[i].count; k++) {
            const ChartPoint *p = &c->series[i].points[k];
            a.left = fmin(a.left, p->x);
            a.right = fmax(a.right, p->x);
            a.low = fmin(a.low, p->y - p->error);
            a.high = fmax(a.high, p->y + p->error);
        }
    }
    if (a.right <= a.left)
        a.right = a.left + 1;
    a.step = chart_step(fmax(c->least_step, (a.high - a.low) / 6));
    a.low = floor(a.low / a.step) * a.step;
    a.high = fmax(a.low + a.step, ceil(a.high / a.step) * a.step);
    return a;
}

static double x_of(const Axes *a, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (x - a->left) / (a->right - a->left);
}

static double y_of(const Axes *a, double y)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (a->high - y) / (a->high - a->low);
}

static const char *color_of(const ChartSeries *s)
{
    return palette[(size_t)s->color % (sizeof palette / sizeof *palette)];
}

/* Names come from files: they must not become markup. */
static void add_words(Text *out, const char *words)
{
    for (; *words; words++) {
        if (*words == '<')
            text_add_str(out, "&lt;");
        else if (*words == '&')
            text_add_str(out, "&amp;");
        else
            text_add_char(out, *words);
    }
}

static void draw_axes(const Chart *c, const Axes *a, Text *out)
{
    int lines = (int)lround((a->high - a->low) / a->step);
    for (int i = 0; i <= lines; i++) {
        double value = a->low + i * a->step, y = y_of(a, value);
        text_addf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                  LEFT, y, WIDTH - RIGHT, y);
        text_addf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n", LEFT - 8,
                  y + 4, c->decimals, value);
    }
    int every = (int)(a->right - a->left) / 20 + 1;
    for (double x = a->left; x <= a->right; x += every)
        text_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", x_of(a, x),
                  HEIGHT - BOTTOM + 20, x);
    text_addf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
              (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, c->x_label);
}

static void draw_line(const ChartSeries *s, const Axes *a, Text *out)
{
    text_addf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"",
              color_of(s), s->dashed ? " stroke-dasharray=\"5 4\"" : "");
    for (int i = 0; i < s->count; i++)
        if (!s->points[i].hollow)
            text_addf(out, "%.1f,%.1f ", x_of(a, s->points[i].x), y_of(a, s->points[i].y));
    text_add_str(out, "\"/>\n");
}

static void draw_dot(const ChartSeries *s, const ChartPoint *p, const Axes *a, Text *out)
{
    double x = x_of(a, p->x);
    if (p->error > 0)
        text_addf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x,
                  y_of(a, p->y - p->error), x, y_of(a, p->y + p->error), color_of(s));
    text_addf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\" stroke=\"%s\">", x,
              y_of(a, p->y), p->hollow ? "#fff" : color_of(s), color_of(s));
    if (p->title) {
        text_add_str(out, "<title>");
        add_words(out, p->title);
        text_add_str(out, "</title>");
    }
    text_add_str(out, "</circle>\n");
}

static int legend_height(const Chart *c)
{
    int named = 0;
    for (int i = 0; i < c->count; i++)
        named += c->series[i].name != NULL;
    return named ? (named + 1) * LEGEND_LINE : 0;
}

/* Below the picture, where no line can cross it. */
static void draw_legend(const Chart *c, Text *out)
{
    int y = HEIGHT + LEGEND_LINE;
    for (int i = 0; i < c->count; i++) {
        const ChartSeries *s = &c->series[i];
        if (!s->name)
            continue;
        text_addf(out, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\"%s/>\n", LEFT,
                  y - 4, LEFT + 30, y - 4, color_of(s),
                  s->dashed ? " stroke-width=\"2\" stroke-dasharray=\"5 4\""
                            : " stroke-width=\"2\"");
        text_addf(out, "<text x=\"%d\" y=\"%d\">", LEFT + 38, y);
        add_words(out, s->name);
        text_add_str(out, "</text>\n");
        y += LEGEND_LINE;
    }
}

void chart_draw(const Chart *c, Text *out)
{
    Axes a = axes_of(c);
    int height = HEIGHT + legend_height(c);
    text_addf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
              "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
              "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n",
              WIDTH, height, WIDTH, height, LEFT, c->title);
    draw_axes(c, &a, out);
    for (int i = 0; i < c->count; i++) {
        draw_line(&c->series[i], &a, out);
        for (int k = 0; c->series[i].dots && k < c->series[i].count; k++)
            draw_dot(&c->series[i], &c->series[i].points[k], &a, out);
    }
    draw_legend(c, out);
    text_add_str(out, "</svg>\n");
}
