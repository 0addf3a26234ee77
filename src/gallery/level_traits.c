#include "gallery/level_int.h"

#include <math.h>

/* A row for every 200 Elo, made so that the ladder of docs/RATINGS.md comes out even. Between two rows all
 * is interpolated, so that finer steps are steps too. */
enum { TRAITS_STEP = 200, TRAITS_ROWS = 14 };

static const LevelTraits rows[TRAITS_ROWS] = {
    /*            sight depth judge noise margin mate nodes */
    /*  400 */ {-0.6, 1.0, 0.15, 150, 65, 0.40, 0},
    /*  600 */ {0.05, 1.1, 0.20, 118, 60, 0.75, 0},
    /*  800 */ {0.50, 1.4, 0.30, 100, 55, 1.00, 0},
    /* 1000 */ {0.95, 1.7, 0.40, 82, 50, 1.00, 0},
    /* 1200 */ {1.45, 2.0, 0.49, 68, 45, 1.00, 0},
    /* 1400 */ {2.10, 2.35, 0.62, 53, 39, 1.00, 0},
    /* 1600 */ {2.75, 2.9, 0.75, 40, 33, 1.00, 0},
    /* 1800 */ {3.35, 3.5, 0.86, 29, 27, 1.00, 0},
    /* 2000 */ {2.6, 4.5, 1.00, 22, 22, 1.00, 1500},
    /* 2200 */ {3.3, 4.5, 1.00, 18, 19, 1.00, 2800},
    /* 2400 */ {4.0, 4.5, 1.00, 14, 16, 1.00, 5500},
    /* 2600 */ {4.8, 4.5, 1.00, 10, 12, 1.00, 12000},
    /* 2800 */ {5.9, 4.5, 1.00, 5, 8, 1.00, 34000},
    /* 3000 */ {9.0, 4.5, 1.00, 0, 4, 1.00, 120000},
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
