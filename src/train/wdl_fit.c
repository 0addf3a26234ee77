#include "train/wdl_fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCORE_LIMIT = 1000, /* beyond it nearly all is won */
    SCORE_STEP = 8,     /* centipawns in one column */
    COLUMNS = SCORE_LIMIT / SCORE_STEP,
    ROWS = WDL_POINTS_MAX - WDL_POINTS_MIN + 1,
    FEWEST = 1000, /* positions for a fit */
    KNOTS = 3,     /* a and b are sought as their values at three materials */
    UNKNOWNS = 2 * KNOTS
};

static const int knots[KNOTS] = {20, 49, 78};

/* A score below zero is counted for the other side, so that columns begin at zero. */
struct WdlCounts {
    uint64_t count[ROWS][COLUMNS][OUTCOME_COUNT];
    uint64_t positions;
    /* While games are read. */
    GameRecord game;
    const atomic_bool *stop;
    _Atomic uint64_t *games;
};

WdlCounts *wdl_counts_new(void)
{
    return calloc(1, sizeof(WdlCounts));
}

void wdl_counts_free(WdlCounts *c)
{
    free(c);
}

/* -- Counting -- */

void wdl_counts_add(WdlCounts *c, int points, Score s, Outcome outcome)
{
    if (abs(s) >= SCORE_LIMIT)
        return;
    if (s < 0) {
        s = -s;
        outcome = (Outcome)(OUTCOME_WON - outcome);
    }
    c->count[points - WDL_POINTS_MIN][s / SCORE_STEP][outcome]++;
    c->positions++;
}

static Status add_game(void *user, const GameRecord *game, Message *why)
{
    (void)why;
    WdlCounts *c = user;
    Position p = game->start;
    for (int i = 0; i < game->count; i++) {
        Undo undo;
        const DataPly *ply = &game->plies[i];
        int result = result_half_points(game->result, p.side);
        if (ply->score != SCORE_NONE)
            wdl_counts_add(c, wdl_points(&p), ply->score, (Outcome)result);
        pos_make(&p, ply->move, &undo);
    }
    atomic_fetch_add(c->games, 1);
    return STATUS_OK;
}

static Status add_file(void *user, const char *path, Message *why)
{
    WdlCounts *c = user;
    return data_read_file(path, &c->game, add_game, c, c->stop, NULL, why);
}

Status wdl_counts_add_games(WdlCounts *c, const char *dir_or_file, const atomic_bool *stop,
                            _Atomic uint64_t *games, Message *why)
{
    c->stop = stop;
    c->games = games;
    return data_each_file(dir_or_file, add_file, c, why);
}

/* -- How well a curve tells what happened -- */

static double minus_log(double chance)
{
    const double least = 1e-6; /* nothing is impossible */
    return -log(chance > least ? chance : least);
}

static double cell_log_loss(const WdlCurve *curve, int row, int column,
                            const uint64_t count[OUTCOME_COUNT])
{
    int points = row + WDL_POINTS_MIN;
    Score s = column * SCORE_STEP + SCORE_STEP / 2;
    double win = wdl_win(curve, points, s), loss = wdl_win(curve, points, -s);
    return (double)count[OUTCOME_WON] * minus_log(win) +
           (double)count[OUTCOME_LOST] * minus_log(loss) +
           (double)count[OUTCOME_DRAWN] * minus_log(1 - win - loss);
}

static double log_loss(const WdlCounts *c, const WdlCurve *curve)
{
    double sum = 0;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            const uint64_t *count = c->count[row][column];
            if (count[OUTCOME_WON] + count[OUTCOME_DRAWN] + count[OUTCOME_LOST])
                sum += cell_log_loss(curve, row, column, count);
        }
    return sum / (double)c->positions;
}

/* -- The likeliest one -- */

/* The quadratic through three values at the knots (Lagrange). */
static void quadratic_through(const double value[KNOTS], double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < KNOTS; i++) {
        double x = (double)knots[i] / WDL_POINTS_UNIT;
        double y = (double)knots[(i + 1) % KNOTS] / WDL_POINTS_UNIT;
        double z = (double)knots[(i + 2) % KNOTS] / WDL_POINTS_UNIT;
        double part = value[i] / ((x - y) * (x - z));
        out[0] += part;
        out[1] -= part * (y + z);
        out[2] += part * y * z;
    }
}

static WdlCurve curve_of(const double unknowns[UNKNOWNS])
{
    WdlCurve curve;
    quadratic_through(unknowns, curve.a);
    quadratic_through(unknowns + KNOTS, curve.b);
    return curve;
}

/* Neither the line of half the games nor its blur can be below a few centipawns. */
static double log_loss_at(const WdlCounts *c, const double unknowns[UNKNOWNS])
{
    for (int i = 0; i < UNKNOWNS; i++)
        if (unknowns[i] < 5)
            return INFINITY;
    WdlCurve curve = curve_of(unknowns);
    return log_loss(c, &curve);
}

/* One number after the other is moved by steps that grow while they help and shrink when they do
 * not. The log loss has one minimum, and six numbers need no better method. */
static double descend(const WdlCounts *c, double at[UNKNOWNS])
{
    double step[UNKNOWNS], least = log_loss_at(c, at), largest = INFINITY;
    for (int i = 0; i < UNKNOWNS; i++)
        step[i] = at[i] / 4;
    while (largest > 0.01) {
        largest = 0;
        for (int i = 0; i < UNKNOWNS; i++) {
            double before = at[i];
            at[i] = before + step[i];
            double now = log_loss_at(c, at);
            if (now < least) {
                least = now;
                step[i] *= 1.5;
            } else {
                at[i] = before;
                step[i] *= -0.5;
            }
            largest = fmax(largest, fabs(step[i]));
        }
    }
    return least;
}

Status wdl_fit(const WdlCounts *c, WdlFit *out, Message *why)
{
    if (c->positions < FEWEST)
        return status_fail(why, STATUS_INVALID,
                           "%" PRIu64 " scored positions are too few for a WDL model",
                           c->positions);
    double unknowns[UNKNOWNS] = {200, 200, 200, 60, 60, 60};
    out->positions = c->positions;
    out->log_loss = descend(c, unknowns);
    out->curve = curve_of(unknowns);
    WdlCurve present = wdl_curve();
    out->present_log_loss = log_loss(c, &present);
    return STATUS_OK;
}

/* -- For people -- */

/* The score with which a win has this chance: where win = 1 / (1 + exp((a - s) / b)). */
static Score score_for(const WdlCurve *curve, int points, double chance)
{
    Score s = 0;
    while (s < 4 * SCORE_LIMIT && wdl_win(curve, points, s) < chance)
        s++;
    return s;
}

void wdl_fit_report(const WdlFit *fit, Text *out)
{
    text_addf(out, "%" PRIu64 " positions; log loss %.4f, with the current WDL model %.4f\n",
              fit->positions, fit->log_loss, fit->present_log_loss);
    text_add_str(out, "internal score that wins   25 %    50 %    75 %    90 %\n");
    for (int points = 78; points >= 18; points -= 20)
        text_addf(out, "with %2d points left      %6d  %6d  %6d  %6d\n", points,
                  score_for(&fit->curve, points, 0.25), score_for(&fit->curve, points, 0.5),
                  score_for(&fit->curve, points, 0.75), score_for(&fit->curve, points, 0.9));
    const double *a = fit->curve.a, *b = fit->curve.b;
    text_addf(out, ".a = {%.1f, %.1f, %.1f}, .b = {%.1f, %.1f, %.1f}\n", a[0], a[1], a[2], b[0],
              b[1], b[2]);
}
