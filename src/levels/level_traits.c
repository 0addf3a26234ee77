#include "levels/level_int.h"

#include <math.h>

/* The levels above the model of human choice: a row for every 200 Elo, made so that the ladder of
 * docs/RATINGS.md comes out even. Between two rows all is interpolated, so that finer steps are
 * steps too. A search of many nodes that overlooks much differs less from level to level, seen from
 * other programs, than one of few nodes that overlooks little. */
enum { TRAITS_STEP = 200, TRAITS_FROM = 1800, TRAITS_ROWS = 7 };

static const LevelTraits rows[TRAITS_ROWS] = {
    /*          attention variation noise margin nodes */
    /* 1800 */ {0.62, 1.2, 26, 26, 10000},
    /* 2000 */ {1.36, 1.4, 22, 22, 20000},
    /* 2200 */ {2.10, 1.4, 18, 19, 50000},
    /* 2400 */ {3.20, 1.3, 14, 16, 120000},
    /* 2600 */ {4.10, 1.0, 10, 12, 260000},
    /* 2800 */ {5.00, 0.8, 5, 8, 550000},
    /* 3000 */ {8.00, 0.5, 0, 4, 1400000},
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
