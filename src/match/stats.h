/* What the results of a match say: strength with its error, and the sequential test. All of it
 * rests on pairs of games from one opening with colours changed, whose five possible scores (the
 * pentanomial) have less spread than games taken singly. Everything is from the first player's
 * view. */
#ifndef MATCH_STATS_H
#define MATCH_STATS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { STATS_PAIR_KINDS = 5 };

typedef struct StatsTally {
    uint64_t wins, draws, losses;
    uint64_t pairs[STATS_PAIR_KINDS]; /* by half points of both games together: 0, 1, 2, 3, 4 */
} StatsTally;

/* Points of one game in half points: 0 lost, 1 drawn, 2 won. */
void stats_add_game(StatsTally *t, int half_points);
void stats_add_pair(StatsTally *t, int half_points_of_both);

/* As the rest of a line of a state file (base/state_file.h). */
void stats_write(const StatsTally *t, Text *out);
bool stats_read(StatsTally *t, Span *rest);

typedef struct StatsSummary {
    uint64_t games, pairs;
    double score;            /* points per game */
    double elo, elo_error;   /* the error is half the width of the 95 % interval; +-INFINITY */
    double nelo, nelo_error; /* normalised: the same effort finds the same value at any control */
    double los;              /* likelihood that the first player is the stronger one */
    double draw_ratio;       /* of games */
} StatsSummary;

/* From the pairs where there are any, otherwise from single games; all zero without games. */
StatsSummary stats_summary(const StatsTally *t);

/* The difference in Elo of a score; +-INFINITY at 1 and 0. */
double stats_score_to_elo(double score);

/* The sequential probability ratio test of "elo1 or better" against "elo0 or worse", in normalised
 * Elo. */
typedef struct StatsSprt {
    double elo0, elo1;
    double alpha, beta; /* how often a wrong patch may pass, a right one fail */
} StatsSprt;

typedef enum StatsVerdict { STATS_UNDECIDED, STATS_ACCEPTED, STATS_REJECTED } StatsVerdict;

double stats_sprt_lower(const StatsSprt *s);
double stats_sprt_upper(const StatsSprt *s);

/* The log-likelihood ratio of the two hypotheses, each taken with the distribution of pairs that
 * fits the results best (generalised SPRT, Van den Bergh). 0 without pairs. */
double stats_llr(const StatsTally *t, double elo0, double elo1);
StatsVerdict stats_verdict(const StatsTally *t, const StatsSprt *s);

#endif
