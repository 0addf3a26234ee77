/* The WDL model: win, draw and loss probabilities of a score, fitted to own games.
 *
 * win = 1 / (1 + exp((a - s) / b)): a is the score that wins half of the games, b the spread. Both
 * are functions of the material on the board (1, 3, 3, 5, 9 points). loss uses the negated score,
 * draw is the rest. */
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

/* -- The model, which `castellan data wdl` fits -- */

enum {
    WDL_POINTS_MIN =
        17, /* below, there are too few games for a fit: the value at the limit is used */
    WDL_POINTS_MAX = 78, /* a full board */
    WDL_POINTS_UNIT = 58
};

/* Quadratics in points / WDL_POINTS_UNIT, the highest power first. */
typedef struct WdlCurve {
    double a[3], b[3];
} WdlCurve;

/* Of the net built into the program: the net file carries it. */
WdlCurve wdl_curve(void);

/* The material of a position, clamped to the limits above. */
int wdl_points(const Position *p);

/* The probability of a win, 0 to 1. */
double wdl_win(const WdlCurve *c, int points, Score s);

#endif
