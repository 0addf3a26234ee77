#include "match/stats.h"

#include "base/state_file.h"

#include <inttypes.h>
#include <math.h>

static const double Z95 =
    1.959963984540054; /* a normal value lies within +- this 95 % of the time */

/* One standard deviation of a game, in normalised Elo: 800 / ln 10. */
static const double NELO_UNIT = 347.43558552260146;

void stats_add_game(StatsTally *t, int half_points)
{
    uint64_t *counts[] = {&t->losses, &t->draws, &t->wins};
    (*counts[half_points])++;
}

void stats_add_pair(StatsTally *t, int half_points_of_both)
{
    t->pairs[half_points_of_both]++;
}

void stats_write(const StatsTally *t, Text *out)
{
    text_addf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64, t->wins, t->draws, t->losses);
    for (int i = 0; i < STATS_PAIR_KINDS; i++)
        text_addf(out, " %" PRIu64, t->pairs[i]);
}

bool stats_read(StatsTally *t, Span *rest)
{
    bool fine = state_count(rest, &t->wins) && state_count(rest, &t->draws) &&
                state_count(rest, &t->losses);
    for (int i = 0; i < STATS_PAIR_KINDS; i++)
        fine = fine && state_count(rest, &t->pairs[i]);
    return fine;
}

double stats_score_to_elo(double score)
{
    if (score <= 0)
        return -INFINITY;
    if (score >= 1)
        return INFINITY;
    return -400.0 * log10(1.0 / score - 1.0);
}

/* -- Distributions: at most five outcomes between 0 and 1, evenly spaced -- */

typedef struct Outcomes {
    int count;
    double total; /* how often any came */
    double value[STATS_PAIR_KINDS], share[STATS_PAIR_KINDS];
} Outcomes;

static void outcomes_of(Outcomes *o, const double *counts, int count)
{
    *o = (Outcomes){.count = count};
    for (int i = 0; i < count; i++)
        o->total += counts[i];
    for (int i = 0; i < count; i++) {
        o->value[i] = (double)i / (count - 1);
        o->share[i] = o->total > 0 ? counts[i] / o->total : 0;
    }
}

static double mean_of(const Outcomes *o)
{
    double sum = 0;
    for (int i = 0; i < o->count; i++)
        sum += o->value[i] * o->share[i];
    return sum;
}

static double variance_of(const Outcomes *o, double mean)
{
    double sum = 0;
    for (int i = 0; i < o->count; i++)
        sum += o->share[i] * (o->value[i] - mean) * (o->value[i] - mean);
    return sum;
}

/* -- Summary -- */

static void tally_outcomes(const StatsTally *t, uint64_t pairs, Outcomes *o)
{
    double of_pairs[STATS_PAIR_KINDS];
    for (int i = 0; i < STATS_PAIR_KINDS; i++)
        of_pairs[i] = (double)t->pairs[i];
    const double of_games[3] = {(double)t->losses, (double)t->draws, (double)t->wins};
    if (pairs)
        outcomes_of(o, of_pairs, STATS_PAIR_KINDS);
    else
        outcomes_of(o, of_games, 3);
}

StatsSummary stats_summary(const StatsTally *t)
{
    StatsSummary s = {.games = t->wins + t->draws + t->losses};
    for (int i = 0; i < STATS_PAIR_KINDS; i++)
        s.pairs += t->pairs[i];
    if (!s.games)
        return s;
    Outcomes o;
    tally_outcomes(t, s.pairs, &o);
    double mean = mean_of(&o), variance = variance_of(&o, mean);
    double reach = Z95 * sqrt(variance / o.total);
    /* A pair has twice the variance of its mean score: back to the spread of one game. */
    double games_each = s.pairs ? 2 : 1, game_sigma = sqrt(games_each * variance);
    s.score = mean;
    s.elo = stats_score_to_elo(mean);
    /* Results that are all the same say nothing about how they spread. */
    s.elo_error = isfinite(s.elo) && variance > 0
                      ? (stats_score_to_elo(mean + reach) - stats_score_to_elo(mean - reach)) / 2
                      : INFINITY;
    s.draw_ratio = (double)t->draws / (double)s.games;
    if (variance > 0) {
        s.nelo = (mean - 0.5) / game_sigma * NELO_UNIT;
        s.nelo_error = Z95 * NELO_UNIT / sqrt(games_each * o.total);
        s.los = 0.5 * erfc(-(mean - 0.5) / sqrt(2 * variance / o.total));
    } else {
        s.nelo = mean > 0.5 ? INFINITY : mean < 0.5 ? -INFINITY : 0;
        s.nelo_error = INFINITY;
        s.los = mean > 0.5 ? 1 : mean < 0.5 ? 0 : 0.5;
    }
    return s;
}

/* -- The sequential test -- */

double stats_sprt_lower(const StatsSprt *s)
{
    return log(s->beta / (1 - s->alpha));
}

double stats_sprt_upper(const StatsSprt *s)
{
    return log((1 - s->beta) / s->alpha);
}

/* The x with sum share * value / (1 + x * value) = 0, which falls in x: by halving between its
 * poles. With values on one side of 0 only, as absurd hypotheses have them, there is none: 0. */
static double secular_root(const double *value, const double *share, int count)
{
    double least = value[0], most = value[0];
    for (int i = 1; i < count; i++) {
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
    }
    if (least >= 0 || most <= 0)
        return 0;
    double low = -1 / most, high = -1 / least;
    for (int step = 0; step < 100; step++) {
        double x = (low + high) / 2, sum = 0;
        for (int i = 0; i < count; i++)
            sum += share[i] * value[i] / (1 + x * value[i]);
        if (sum > 0)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

/* The likeliest distribution for what was seen among those whose mean lies t standard deviations
 * above one half. The condition bends with the distribution itself, so it is met step by step, each
 * a condition on a mean that Lagrange's multiplier solves. */
static void likeliest(const Outcomes *seen, double t, double out[STATS_PAIR_KINDS])
{
    enum { STEPS = 50 };
    Outcomes fit = *seen;
    for (int i = 0; i < fit.count; i++)
        fit.share[i] = 1.0 / fit.count;
    for (int step = 0; step < STEPS; step++) {
        double mean = mean_of(&fit), sigma = sqrt(variance_of(&fit, mean)), change = 0;
        double excess[STATS_PAIR_KINDS] = {0};
        for (int i = 0; i < fit.count; i++) {
            double z = (mean - fit.value[i]) / sigma;
            excess[i] = fit.value[i] - 0.5 - t * sigma * (1 + z * z) / 2;
        }
        double x = secular_root(excess, seen->share, fit.count);
        for (int i = 0; i < fit.count; i++) {
            double share = seen->share[i] / (1 + x * excess[i]);
            change = fmax(change, fabs(share - fit.share[i]));
            fit.share[i] = share;
        }
        if (change < 1e-10)
            break;
    }
    for (int i = 0; i < fit.count; i++)
        out[i] = fit.share[i];
}

double stats_llr(const StatsTally *t, double elo0, double elo1)
{
    /* An outcome that never came still counts a little: its likelihood is not zero. */
    static const double NEVER = 1e-3;
    double counts[STATS_PAIR_KINDS], fit0[STATS_PAIR_KINDS], fit1[STATS_PAIR_KINDS];
    uint64_t pairs = 0;
    for (int i = 0; i < STATS_PAIR_KINDS; i++) {
        counts[i] = t->pairs[i] ? (double)t->pairs[i] : NEVER;
        pairs += t->pairs[i];
    }
    if (!pairs)
        return 0;
    Outcomes seen;
    outcomes_of(&seen, counts, STATS_PAIR_KINDS);
    likeliest(&seen, sqrt(2) * elo0 / NELO_UNIT, fit0);
    likeliest(&seen, sqrt(2) * elo1 / NELO_UNIT, fit1);
    double sum = 0;
    for (int i = 0; i < STATS_PAIR_KINDS; i++)
        sum += seen.share[i] * log(fit1[i] / fit0[i]);
    return seen.total * sum;
}

StatsVerdict stats_verdict(const StatsTally *t, const StatsSprt *s)
{
    double llr = stats_llr(t, s->elo0, s->elo1);
    return llr >= stats_sprt_upper(s)   ? STATS_ACCEPTED
           : llr <= stats_sprt_lower(s) ? STATS_REJECTED
                                        : STATS_UNDECIDED;
}
