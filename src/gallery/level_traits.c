#include "gallery/level_int.h"

#include <math.h>

/* A row for every 200 Elo, made so that the ladder of docs/RATINGS.md comes out even. Between two rows all
 * is interpolated, so that finer steps are steps too. */
enum { TRAITS_STEP = 200, TRAITS_ROWS = 14 };

static const LevelTraits rows[TRAITS_ROWS] = {
    /*            sight depth judge noise margin mate nodes */
    /*  400 */ {-1.10, 1.0, 0.10, 175, 70, 0.40, 0},
    /*  600 */ {-0.40, 1.0, 0.16, 135, 63, 0.75, 0},
    /*  800 */ {0.15, 1.25, 0.25, 110, 58, 1.00, 0},
    /* 1000 */ {0.65, 1.55, 0.35, 90, 52, 1.00, 0},
    /* 1200 */ {1.35, 1.9, 0.47, 70, 46, 1.00, 0},
    /* 1400 */ {2.02, 2.3, 0.60, 55, 40, 1.00, 0},
    /* 1600 */ {2.68, 2.83, 0.74, 41, 33, 1.00, 0},
    /* 1800 */ {3.45, 3.6, 0.87, 28, 27, 1.00, 0},
    /* 2000 */ {2.65, 4.5, 1.00, 22, 22, 1.00, 1600},
    /* 2200 */ {3.40, 4.5, 1.00, 18, 19, 1.00, 3000},
    /* 2400 */ {4.10, 4.5, 1.00, 14, 16, 1.00, 5800},
    /* 2600 */ {4.75, 4.5, 1.00, 10, 12, 1.00, 10500},
    /* 2800 */ {5.60, 4.5, 1.00, 5, 8, 1.00, 22000},
    /* 3000 */ {7.80, 4.5, 1.00, 0, 4, 1.00, 60000},
};

static double between(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Strength grows with the logarithm of the nodes. */
static uint64_t nodes_between(uint64_t a, uint64_t b, double t)
{
    if (a == 0 || b == 0)
        return 0;
    return (uint64_t)(exp(between(log((double)a), log((double)b), t)) + 0.5);
}

LevelTraits level_traits(int elo)
{
    if (elo <= LEVEL_MIN_ELO)
        return rows[0];
    if (elo >= LEVEL_MAX_ELO)
        return rows[TRAITS_ROWS - 1];
    int row = (elo - LEVEL_MIN_ELO) / TRAITS_STEP;
    double t = (double)((elo - LEVEL_MIN_ELO) % TRAITS_STEP) / TRAITS_STEP;
    const LevelTraits *a = &rows[row], *b = &rows[row + 1];
    return (LevelTraits){.sight = between(a->sight, b->sight, t),
                         .depth = between(a->depth, b->depth, t),
                         .judgement = between(a->judgement, b->judgement, t),
                         .noise = (int)lround(between(a->noise, b->noise, t)),
                         .margin = (int)lround(between(a->margin, b->margin, t)),
                         .mate_in_1 = between(a->mate_in_1, b->mate_in_1, t),
                         .nodes = nodes_between(a->nodes, b->nodes, t)};
}
