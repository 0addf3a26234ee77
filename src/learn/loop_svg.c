/* The picture: Elo against what the loop began with, a full point for every net that was taken, an empty one for
 * those refused, bars for the 95 % error of each step. */
#include "learn/loop_int.h"

#include "base/file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 400, LEFT = 70, RIGHT = 20, TOP = 40, BOTTOM = 50 };

typedef struct Axes {
    int generations; /* finished */
    double low, high, step;
} Axes;

/* 1, 2 or 5 times a power of ten. */
static double round_step(double wanted)
{
    double power = pow(10, floor(log10(wanted)));
    double part = wanted / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static Axes axes_of(const LoopState *s)
{
    Axes a = {.generations = s->count - 1};
    for (int i = 0; i < a.generations; i++) {
        double error, elo = loop_elo(s, i, &error);
        a.low = fmin(a.low, elo - error);
        a.high = fmax(a.high, elo + error);
    }
    a.step = round_step(fmax(10, (a.high - a.low) / 6));
    a.low = floor(a.low / a.step) * a.step;
    a.high = fmax(a.low + a.step, ceil(a.high / a.step) * a.step);
    return a;
}

static double x_of(const Axes *a, int generation)
{
    int most = a->generations > 0 ? a->generations : 1;
    return LEFT + (double)(WIDTH - LEFT - RIGHT) * generation / most;
}

static double y_of(const Axes *a, double elo)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (a->high - elo) / (a->high - a->low);
}

static void draw_axes(const Axes *a, Text *out)
{
    for (double elo = a->low; elo <= a->high + a->step / 2; elo += a->step) {
        double y = y_of(a, elo);
        text_addf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                  LEFT, y, WIDTH - RIGHT, y);
        text_addf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n", LEFT - 8,
                  y + 4, elo);
    }
    int every = a->generations / 20 + 1;
    for (int i = 0; i <= a->generations; i += every)
        text_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x_of(a, i),
                  HEIGHT - BOTTOM + 20, i);
    text_addf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">generation</text>\n",
              (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
}

static void draw_line(const LoopState *s, const Axes *a, Text *out)
{
    text_addf(out,
              "<polyline fill=\"none\" stroke=\"#1f6f43\" stroke-width=\"2\" points=\"%.1f,%.1f",
              x_of(a, 0), y_of(a, 0));
    for (int i = 0; i < a->generations; i++) {
        double error;
        if (s->generations[i].accepted)
            text_addf(out, " %.1f,%.1f", x_of(a, i + 1), y_of(a, loop_elo(s, i, &error)));
    }
    text_add_str(out, "\"/>\n");
}

static void draw_points(const LoopState *s, const Axes *a, Text *out)
{
    for (int i = 0; i < a->generations; i++) {
        double error, elo = loop_elo(s, i, &error), x = x_of(a, i + 1);
        text_addf(out,
                  "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#1f6f43\"/>\n", x,
                  y_of(a, elo - error), x, y_of(a, elo + error));
        text_addf(out,
                  "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\" stroke=\"#1f6f43\">"
                  "<title>generation %d: %+.1f Elo, %s</title></circle>\n",
                  x, y_of(a, elo), s->generations[i].accepted ? "#1f6f43" : "#fff", i + 1, elo,
                  s->generations[i].accepted ? "taken" : "refused");
    }
}

Status loop_draw(const LoopState *s, const char *dir, Message *why)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/elo.svg", dir) >= (int)sizeof path)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", dir);
    Axes a = axes_of(s);
    Text out;
    text_init(&out);
    text_addf(&out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
              "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
              "<text x=\"%d\" y=\"24\" font-size=\"15\">Elo by generation</text>\n",
              WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    draw_axes(&a, &out);
    draw_line(s, &a, &out);
    draw_points(s, &a, &out);
    text_add_str(&out, "</svg>\n");
    Status status = out.failed ? status_fail(why, STATUS_MEMORY, "no memory for the picture")
                               : file_write_atomic(path, out.at, out.len, why);
    text_free(&out);
    return status;
}
