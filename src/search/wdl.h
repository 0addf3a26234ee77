/* What a score means in results: a model fitted to own games.
 *
 * win = 1 / (1 + exp((a - s) / b)): a is the score that wins every second game, b how blurred that
 * line is. Both depend on the material left, told by the usual points, because a pawn means more
 * the fewer pieces there are to draw with. Loss is the same with the score turned around, and what
 * is left is the draw. */
#ifndef SEARCH_WDL_H
#define SEARCH_WDL_H

#include "chess/position.h"
#include "eval/score.h"

typedef struct Wdl {
    int win, draw, loss; /* permille, sums to 1000 */
} Wdl;

Wdl wdl_of(Score s, const Position *p);

/* Centipawns as GUIs read them: 100 is a 50 % chance to win with the material of p. */
int score_to_cp(Score s, const Position *p);

/* -- The curve itself, which `castellan data chances` fits -- */

enum {
    WDL_POINTS_MIN = 17, /* outside these the games for a fit are too few: the edge value serves */
    WDL_POINTS_MAX = 78, /* a full board */
    WDL_POINTS_UNIT = 58
};

/* Quadratics in points / WDL_POINTS_UNIT, the highest power first. */
typedef struct WdlCurve {
    double a[3], b[3];
} WdlCurve;

extern const WdlCurve wdl_curve;

/* The material of a position, within the limits above. */
int wdl_points(const Position *p);

/* The chance to win, 0 to 1. */
double wdl_win(const WdlCurve *c, int points, Score s);

#endif
