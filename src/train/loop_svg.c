/* The picture: Elo against what the loop began with, a full point for every net that was taken, an
 * empty one for those refused, bars for the 95 % error of each step. */
#include "train/history.h"
#include "train/loop_int.h"

#include "base/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { TITLE_SIZE = 80 };

static void fill_points(const LoopState *s, ChartPoint *points, char (*titles)[TITLE_SIZE])
{
    points[0] = (ChartPoint){0};
    for (int i = 0; i < s->count - 1; i++) {
        bool taken = s->generations[i].accepted;
        double error, elo = loop_elo(s, i, &error);
        snprintf(titles[i], sizeof titles[i], "generation %d: %+.1f Elo, %s", i + 1, elo,
                 taken ? "taken" : "refused");
        points[i + 1] = (ChartPoint){
            .x = i + 1, .y = elo, .error = error, .hollow = !taken, .title = titles[i]};
    }
}

Status loop_draw(const LoopState *s, const char *dir, Message *why)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/elo.svg", dir) >= (int)sizeof path)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", dir);
    int count = s->count > 0 ? s->count : 1;
    ChartPoint *points = calloc((size_t)count, sizeof *points);
    char(*titles)[TITLE_SIZE] = calloc((size_t)count, sizeof *titles);
    Text out = text_new();
    if (points && titles) {
        fill_points(s, points, titles);
        history_draw_points(points, count, &out);
    } else {
        out.failed = true;
    }
    Status status = file_write_text(path, &out, why);
    free(titles);
    free(points);
    return status;
}
