#include "levels/human_frame.h"

#include "levels/level.h"

#include <math.h>

enum { FRAME_STEP = 200, FRAMES = 8, OPENING_PLIES = 10 };
static const double OPENING_SPREAD = 0.5; /* at least: games should differ */
static const double MOST_LOSS = 0.6;      /* beyond, a loss is no likelier for being larger */

/* A row for every 200 Elo, made so that the ladder of docs/RATINGS.md comes out even and the losses per move are those of
 * people. */
static const HumanFrame frames[FRAMES] = {
    /*      rating spread bias */
    /*  400 */ {400, 0.2, 3.1},
    /*  600 */ {600, 0.2, 2.8},
    /*  800 */ {800, 0.2, 3.2},
    /* 1000 */ {1000, 0.2, 3.2},
    /* 1200 */ {1200, 0.2, 2.8},
    /* 1400 */ {1400, 0.2, 2.8},
    /* 1600 */ {1600, 0.2, 3.1},
    /* 1800 */ {1800, 0.2, 0.5},
};

bool human_frame(int elo, HumanFrame *out)
{
    int over = elo - LEVEL_MIN_ELO, last = (FRAMES - 1) * FRAME_STEP;
    if (over > last)
        return false;
    over = over < 0 ? 0 : over;
    const HumanFrame *a = &frames[over / FRAME_STEP], *b = over < last ? a + 1 : a;
    double t = (double)(over % FRAME_STEP) / FRAME_STEP;
    *out = (HumanFrame){.rating = (int)lround(a->rating + t * (b->rating - a->rating)),
                        .spread = a->spread + t * (b->spread - a->spread),
                        .bias = a->bias + t * (b->bias - a->bias)};
    return true;
}

void human_losses(const Position *p, const HumanValue *values, int count, double *out)
{
    Score scores[MAX_MOVES], best = -SCORE_INFINITE;
    human_deep_scores(values, count, scores);
    for (int i = 0; i < count; i++)
        best = scores[i] > best ? scores[i] : best;
    double top = human_chance(best, p);
    for (int i = 0; i < count; i++)
        out[i] = top - human_chance(scores[i], p);
}

void human_frame_choose(const HumanFrame *frame, const Position *p, const double *chances,
                        const double *losses, int count, double *out)
{
    bool opening = p->game_ply < OPENING_PLIES && frame->spread < OPENING_SPREAD;
    double spread = opening ? OPENING_SPREAD : frame->spread, most = -INFINITY, all = 0;
    for (int i = 0; i < count; i++) {
        double loss = losses[i] < MOST_LOSS ? losses[i] : MOST_LOSS;
        out[i] = (log(chances[i] + 1e-9) + frame->bias * loss) / spread;
        most = out[i] > most ? out[i] : most;
    }
    for (int i = 0; i < count; i++)
        all += out[i] = exp(out[i] - most);
    for (int i = 0; i < count; i++)
        out[i] /= all;
}
