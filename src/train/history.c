#include "train/history.h"

#include "base/chart.h"
#include "base/file.h"
#include "eval/nnue/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EPOCHS_MAX = 10000, TABLE_SIZE_MAX = 1 << 20, NAME_SIZE = 64 };

/* -- Losses -- */

/* On the games trained on and on those held out; a small set holds nothing out. */
typedef struct Losses {
    char names[2][NAME_SIZE];
    ChartPoint *points[2];
    int counts[2];
} Losses;

/* The number behind `key` in a line; false when there is none. */
static bool number_behind(Span line, const char *key, double *out)
{
    size_t length = strlen(key);
    for (size_t i = 0; i + length <= line.len; i++) {
        if (memcmp(line.at + i, key, length) != 0)
            continue;
        Span number = {line.at + i + length, 0};
        size_t room = line.len - i - length;
        while (number.len < room && !strchr(" ,:", number.at[number.len]))
            number.len++;
        return span_to_double(number, out);
    }
    return false;
}

/* The first epoch's loss is a mean over its steep beginning and would flatten the
 * rest: left out. */
static Status read_losses(Losses *l, const Net *net, const char *path, Message *why)
{
    static const char *const names[2] = {"trained on", "held out"}, *const keys[2] = {"loss ",
                                                                                      "held out "};
    Span rest = span_of(net->history), line;
    for (int k = 0; k < 2; k++) {
        snprintf(l->names[k], NAME_SIZE, "%s, %s", net->id, names[k]);
        l->points[k] = calloc(EPOCHS_MAX, sizeof *l->points[k]);
        if (!l->points[k])
            return status_fail(why, STATUS_MEMORY, "not enough memory for the losses of %s", path);
    }
    while (span_next_line(&rest, &line)) {
        double epoch, loss;
        if (!span_starts(line, "epoch ") || !number_behind(line, "epoch ", &epoch) || epoch < 2)
            continue;
        for (int k = 0; k < 2; k++)
            if (l->counts[k] < EPOCHS_MAX && number_behind(line, keys[k], &loss))
                l->points[k][l->counts[k]++] = (ChartPoint){.x = epoch, .y = loss};
    }
    return l->counts[0] ? STATUS_OK
                        : status_fail(why, STATUS_INVALID, "%s: no losses in its history", path);
}

static Status load_losses(Losses *l, const char *path, Message *why)
{
    Net *net;
    Status s = net_load(&net, path, why);
    if (s != STATUS_OK)
        return s;
    s = read_losses(l, net, path, why);
    net_free(net);
    return s;
}

Status history_draw_losses(char *const *paths, int count, Text *out, Message *why)
{
    if (count < 1 || count > HISTORY_MAX_NETS)
        return status_fail(why, STATUS_INVALID, "expected 1 to %d nets, not %d", HISTORY_MAX_NETS,
                           count);
    Losses losses[HISTORY_MAX_NETS] = {0};
    ChartSeries series[2 * HISTORY_MAX_NETS];
    int drawn = 0;
    Status s = STATUS_OK;
    for (int i = 0; i < count && s == STATUS_OK; i++) {
        Losses *l = &losses[i];
        s = load_losses(l, paths[i], why);
        for (int k = 0; k < 2; k++)
            if (l->counts[k])
                series[drawn++] = (ChartSeries){l->names[k], l->points[k], l->counts[k], .color = i,
                                                .dashed = k > 0};
    }
    if (s == STATUS_OK)
        chart_draw(&(Chart){.title = "Loss by epoch",
                            .x_label = "epoch",
                            .series = series,
                            .count = drawn,
                            .least_step = 1e-5,
                            .decimals = 4},
                   out);
    for (int i = 0; i < count; i++) {
        free(losses[i].points[0]);
        free(losses[i].points[1]);
    }
    return s;
}

/* -- Elo -- */

typedef struct Ladder {
    ChartPoint points[HISTORY_MAX_GENERATIONS];
    char titles[HISTORY_MAX_GENERATIONS][NAME_SIZE];
    int count;
} Ladder;

static Status read_row(Ladder *l, Span line, int number, const char *path, Message *why)
{
    Span rest = line, word[3];
    double value[3];
    for (int i = 0; i < 3; i++)
        if (!span_next_word(&rest, &word[i]) || !span_to_double(word[i], &value[i]))
            return status_fail(why, STATUS_INVALID,
                               "%s:%d: expected a generation, its Elo and its error", path, number);
    if (l->count == HISTORY_MAX_GENERATIONS || !(value[2] >= 0))
        return status_fail(why, STATUS_INVALID, "%s:%d: too many lines, or a negative error", path,
                           number);
    Span name = span_trim(rest);
    char *title = l->titles[l->count];
    span_show(name, title, NAME_SIZE);
    l->points[l->count++] = (ChartPoint){.x = value[0],
                                         .y = value[1],
                                         .error = value[2],
                                         .hollow = span_is(name, "refused"),
                                         .title = title};
    return STATUS_OK;
}

static Status read_ladder(Ladder *l, Span table, const char *path, Message *why)
{
    Span line;
    Status s = STATUS_OK;
    for (int number = 1; s == STATUS_OK && span_next_line(&table, &line); number++) {
        line = span_trim(line);
        if (line.len && *line.at != '#')
            s = read_row(l, line, number, path, why);
    }
    if (s == STATUS_OK && !l->count)
        s = status_fail(why, STATUS_INVALID, "%s: no generations", path);
    return s;
}

void history_draw_points(const ChartPoint *points, int count, Text *out)
{
    ChartSeries series = {.points = points, .count = count, .dots = true};
    chart_draw(&(Chart){.title = "Elo by generation",
                        .x_label = "generation",
                        .series = &series,
                        .count = 1,
                        .least_step = 10,
                        .with_zero = true},
               out);
}

Status history_draw_elo(const char *path, Text *out, Message *why)
{
    char *bytes;
    size_t len;
    Status s = file_read(&bytes, &len, path, TABLE_SIZE_MAX, why);
    if (s != STATUS_OK)
        return s;
    Ladder *l = calloc(1, sizeof *l);
    s = l ? read_ladder(l, (Span){bytes, len}, path, why)
          : status_fail(why, STATUS_MEMORY, "not enough memory for %s", path);
    if (s == STATUS_OK)
        history_draw_points(l->points, l->count, out);
    free(l);
    free(bytes);
    return s;
}
