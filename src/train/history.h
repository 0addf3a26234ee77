/* Pictures of how nets came to be: their losses, which each net carries in its own history, and
 * their Elo by generation, from a table that people keep. */
#ifndef TRAIN_HISTORY_H
#define TRAIN_HISTORY_H

#include "base/chart.h"
#include "base/status.h"
#include "base/text.h"

enum { HISTORY_MAX_NETS = 8, HISTORY_MAX_GENERATIONS = 1000 };

/* Adds a chart of the losses by epoch, on the games trained on and on those held out, of up to
 * HISTORY_MAX_NETS net files. */
Status history_draw_losses(char *const *paths, int count, Text *out, Message *why);

/* Adds a chart of Elo by generation. A line of the table is "generation Elo error name", with
 * "refused" in place of the name for a net that was not taken; lines that begin with
 * # are remarks. */
Status history_draw_elo(const char *path, Text *out, Message *why);

/* Elo by generation, of points that are known already. */
void history_draw_points(const ChartPoint *points, int count, Text *out);

#endif
