#include "search/wdl.h"

#include "eval/nnue/net.h"

#include <math.h>

enum {
    CP_EVAL_MAX = 15000, /* the largest evaluation; tablebase wins and mates are above */
    CP_TB_WIN = 20000,   /* minus the plies to it */
    CP_MATE = 30000,
};

WdlCurve wdl_curve(void)
{
    NetWdl model = net_embedded_wdl();
    WdlCurve curve;
    for (int i = 0; i < 3; i++) {
        curve.a[i] = model.a[i] / 1000.0;
        curve.b[i] = model.b[i] / 1000.0;
    }
    return curve;
}

int wdl_points(const Position *p)
{
    int points = bb_count(p->by_type[PAWN]) + 3 * bb_count(p->by_type[KNIGHT]) +
                 3 * bb_count(p->by_type[BISHOP]) + 5 * bb_count(p->by_type[ROOK]) +
                 9 * bb_count(p->by_type[QUEEN]);
    return points < WDL_POINTS_MIN   ? WDL_POINTS_MIN
           : points > WDL_POINTS_MAX ? WDL_POINTS_MAX
                                     : points;
}

static double at_points(const double quadratic[3], int points)
{
    double m = (double)points / WDL_POINTS_UNIT;
    return (quadratic[0] * m + quadratic[1]) * m + quadratic[2];
}

double wdl_win(const WdlCurve *c, int points, Score s)
{
    return 1.0 / (1.0 + exp((at_points(c->a, points) - s) / at_points(c->b, points)));
}

static int permille_won(Score s, int points)
{
    WdlCurve curve = wdl_curve();
    return (int)(1000.0 * wdl_win(&curve, points, s) + 0.5);
}

Wdl wdl_of(Score s, const Position *p)
{
    if (score_is_win(s))
        return (Wdl){1000, 0, 0};
    if (score_is_loss(s))
        return (Wdl){0, 0, 1000};
    int points = wdl_points(p), win = permille_won(s, points), loss = permille_won(-s, points);
    return (Wdl){win, 1000 - win - loss, loss};
}

int score_to_cp(Score s, const Position *p)
{
    if (s < 0)
        return -score_to_cp(-s, p);
    if (score_is_mate(s))
        return CP_MATE - (SCORE_MATE - s);
    if (score_is_win(s))
        return CP_TB_WIN - (SCORE_TB_WIN - s);
    WdlCurve curve = wdl_curve();
    int cp = (int)(100.0 * s / at_points(curve.a, wdl_points(p)) + 0.5);
    return cp < CP_EVAL_MAX ? cp : CP_EVAL_MAX;
}
