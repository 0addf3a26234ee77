#include "levels/level.h"

#include <stdio.h>

enum { STEP = 200, BELOW = 0, ABOVE = 9999, LOWEST = 500, HIGHEST = 1700, LICHESS_FROM = 850 };

/* For the levels 400, 600 ... 1800: the rating of people who lose as much in the same positions, as
 * `castellan levels test` prints it, rounded to 50. People below 850 played on chess.com, the
 * others on lichess. */
static const int likes[] = {BELOW, BELOW, 550, 900, 1450, ABOVE, ABOVE, ABOVE};

enum { LIKES = sizeof likes / sizeof *likes };

static bool is_measured(int like)
{
    return like != BELOW && like != ABOVE;
}

void level_plays_like(int elo, char out[LEVEL_LIKE_SIZE])
{
    out[0] = '\0';
    if (elo < LEVEL_MIN_ELO || elo > LEVEL_LIKE_MAX)
        return;
    int i = (elo - LEVEL_MIN_ELO) / STEP, part = (elo - LEVEL_MIN_ELO) % STEP;
    int a = likes[i], b = i + 1 < LIKES ? likes[i + 1] : a;
    bool same = is_measured(a) && is_measured(b) && (a < LICHESS_FROM) == (b < LICHESS_FROM);
    int like = same ? a + (b - a) * part / STEP : 2 * part < STEP ? a : b;
    if (like == BELOW)
        snprintf(out, LEVEL_LIKE_SIZE, "below %d on chess.com", LOWEST);
    else if (like == ABOVE)
        snprintf(out, LEVEL_LIKE_SIZE, "above %d on lichess", HIGHEST);
    else
        snprintf(out, LEVEL_LIKE_SIZE, "about %d on %s", like,
                 like < LICHESS_FROM ? "chess.com" : "lichess");
}
