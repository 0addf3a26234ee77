#include "levels/level_int.h"

#include <math.h>

/* The whole table of effort and weakness: a row for every 200 Elo, made so that the ladder of docs/RATINGS.md
 * comes out even. Between two rows all is interpolated, so that finer steps are steps too. The lower levels
 * look at the tree with their own eyes; the upper ones let Castellan's search propose, and overlook some
 * of its moves. Where the two meet there is a row of each kind, equally strong. */
enum { TRAITS_STEP = 200, EYES_ROWS = 7, SEARCH_ROWS = 8, SEARCH_FROM = 1600 };

static const LevelTraits eyes_rows[EYES_ROWS] = {
    /*            sight form depth judge noise margin mate nodes */
    /*  400 */ {-0.96, 0.5, 1.0, 0.10, 175, 70, 0.40, 0},
    /*  600 */ {-0.32, 0.5, 1.0, 0.16, 135, 63, 0.75, 0},
    /*  800 */ {0.20, 0.5, 1.25, 0.25, 110, 58, 1.00, 0},
    /* 1000 */ {0.84, 0.5, 1.60, 0.35, 90, 52, 1.00, 0},
    /* 1200 */ {1.48, 0.6, 1.95, 0.47, 70, 46, 1.00, 0},
    /* 1400 */ {2.10, 0.7, 2.35, 0.60, 55, 40, 1.00, 0},
    /* 1600 */ {2.70, 0.8, 2.86, 0.74, 41, 33, 1.00, 0},
};

/* A search of many nodes that overlooks much differs less from level to level, seen from other programs,
 * than one of few nodes that overlooks little. */
static const LevelTraits search_rows[SEARCH_ROWS] = {
    /*            sight form depth judge noise margin mate nodes */
    /* 1600 */ {-0.30, 0.8, 4.5, 1.00, 30, 30, 1.00, 6000},
    /* 1800 */ {0.62, 1.2, 4.5, 1.00, 26, 26, 1.00, 10000},
    /* 2000 */ {1.36, 1.4, 4.5, 1.00, 22, 22, 1.00, 20000},
    /* 2200 */ {2.10, 1.4, 4.5, 1.00, 18, 19, 1.00, 50000},
    /* 2400 */ {3.20, 1.3, 4.5, 1.00, 14, 16, 1.00, 120000},
    /* 2600 */ {4.10, 1.0, 4.5, 1.00, 10, 12, 1.00, 260000},
    /* 2800 */ {5.00, 0.8, 4.5, 1.00, 5, 8, 1.00, 550000},
    /* 3000 */ {8.00, 0.5, 4.5, 1.00, 0, 4, 1.00, 1400000},
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
        return eyes_rows[0];
    if (elo >= LEVEL_MAX_ELO)
        return search_rows[SEARCH_ROWS - 1];
    bool eyes = elo <= SEARCH_FROM;
    int over = elo - (eyes ? LEVEL_MIN_ELO : SEARCH_FROM);
    const LevelTraits *a = (eyes ? eyes_rows : search_rows) + over / TRAITS_STEP;
    double t = (double)(over % TRAITS_STEP) / TRAITS_STEP;
    const LevelTraits *b = t > 0 ? a + 1 : a;
    return (LevelTraits){.sight = between(a->sight, b->sight, t),
                         .form = between(a->form, b->form, t),
                         .depth = between(a->depth, b->depth, t),
                         .judgement = between(a->judgement, b->judgement, t),
                         .noise = (int)lround(between(a->noise, b->noise, t)),
                         .margin = (int)lround(between(a->margin, b->margin, t)),
                         .mate_in_1 = between(a->mate_in_1, b->mate_in_1, t),
                         .nodes = nodes_between(a->nodes, b->nodes, t)};
}
