#include "levels/level_int.h"

#include <math.h>

/* The levels above the model of human choice: a row for every 200 Elo, made so that the ladder of
 * docs/RATINGS.md comes out even. The row of 1800 is as strong as the model's level 1800. Up to
 * 2400 a level is held back by what it overlooks, above by its nodes alone: strength that comes
 * from nodes costs the least time. Between two rows all is interpolated, so that finer steps are
 * steps too. */
enum { TRAITS_STEP = 200, TRAITS_FROM = 1800, TRAITS_ROWS = 7 };

static const LevelTraits rows[TRAITS_ROWS] = {
    /*          attention variation noise margin nodes */
    /* 1800 */ {0.05, 1.2, 30, 30, 10000},
    /* 2000 */ {1.28, 1.3, 24, 24, 14000},
    /* 2200 */ {2.55, 1.4, 19, 20, 18000},
    /* 2400 */ {4.50, 1.2, 13, 15, 32000},
    /* 2600 */ {8.00, 0.7, 3, 6, 85000},
    /* 2800 */ {8.00, 0.5, 0, 4, 850000},
    /* 3000 */ {8.00, 0.5, 0, 4, 4000000},
};

static double between(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Strength grows with the logarithm of the nodes. */
static uint64_t nodes_between(uint64_t a, uint64_t b, double t)
{
    return (uint64_t)(exp(between(log((double)a), log((double)b), t)) + 0.5);
}

LevelTraits level_traits(int elo)
{
    if (elo <= TRAITS_FROM)
        return rows[0];
    if (elo >= LEVEL_MAX_ELO)
        return rows[TRAITS_ROWS - 1];
    int over = elo - TRAITS_FROM;
    const LevelTraits *a = &rows[over / TRAITS_STEP], *b = a + 1;
    double t = (double)(over % TRAITS_STEP) / TRAITS_STEP;
    return (LevelTraits){.attention = between(a->attention, b->attention, t),
                         .variation = between(a->variation, b->variation, t),
                         .noise = (int)lround(between(a->noise, b->noise, t)),
                         .margin = (int)lround(between(a->margin, b->margin, t)),
                         .nodes = nodes_between(a->nodes, b->nodes, t)};
}
