#include "match/match.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* "34.9", "inf". */
static void add_elo(Text *out, double elo)
{
    if (isfinite(elo))
        text_addf(out, "%.1f", fabs(elo) < 0.05 ? 0.0 : elo); /* never "-0.0" */
    else
        text_add_str(out, isnan(elo) ? "?" : elo > 0 ? "inf" : "-inf");
}

static void add_elo_with_error(Text *out, double elo, double error)
{
    add_elo(out, elo);
    text_add_str(out, " +- ");
    add_elo(out, error);
}

static void add_score(const MatchResult *r, const MatchPairing *p, Text *out)
{
    const StatsTally *t = &p->tally;
    text_addf(out, "%s %" PRIu64 " - %" PRIu64 " - %" PRIu64 " %s", r->options->players[p->a].name,
              t->wins, t->losses, t->draws, r->options->players[p->b].name);
}

static void add_sprt(const MatchResult *r, const StatsTally *t, Text *out)
{
    static const char *const verdicts[] = {[STATS_UNDECIDED] = "undecided",
                                           [STATS_ACCEPTED] = "accepted",
                                           [STATS_REJECTED] = "rejected"};
    const StatsSprt *s = &r->options->sprt;
    text_addf(out, "LLR %.2f (%.2f, %.2f) [%.2f, %.2f] %s\n", stats_llr(t, s->elo0, s->elo1),
              stats_sprt_lower(s), stats_sprt_upper(s), s->elo0, s->elo1,
              verdicts[stats_verdict(t, s)]);
}

void match_report_line(const MatchResult *r, Text *out)
{
    const MatchPairing *p = &r->pairings[0];
    StatsSummary s = stats_summary(&p->tally);
    if (r->pairing_count > 1) {
        text_addf(out, "%" PRIu64 " of %" PRIu64 " games", r->games, r->wanted);
        return;
    }
    add_score(r, p, out);
    text_add_str(out, ", Elo ");
    add_elo_with_error(out, s.elo, s.elo_error);
    if (r->options->has_sprt)
        text_addf(out, ", LLR %.2f",
                  stats_llr(&p->tally, r->options->sprt.elo0, r->options->sprt.elo1));
}

/* -- Two players -- */

static void report_two(const MatchResult *r, Text *out)
{
    const MatchPairing *p = &r->pairings[0];
    const StatsTally *t = &p->tally;
    StatsSummary s = stats_summary(t);
    add_score(r, p, out);
    text_addf(out, "  (won - lost - drawn, %" PRIu64 " games)\n", s.games);
    if (!s.games)
        return;
    double points = (double)t->wins + 0.5 * (double)t->draws;
    text_addf(out, "score %.1f / %" PRIu64 " = %.2f %%, drawn %.1f %%\n", points, s.games,
              100.0 * points / (double)s.games, 100.0 * s.draw_ratio);
    text_addf(out,
              "pairs 0 to 2 points: [%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64
              "]\n",
              t->pairs[0], t->pairs[1], t->pairs[2], t->pairs[3], t->pairs[4]);
    text_add_str(out, "Elo ");
    add_elo_with_error(out, s.elo, s.elo_error);
    text_add_str(out, ", normalised ");
    add_elo_with_error(out, s.nelo, s.nelo_error);
    text_addf(out, ", LOS %.2f %%\n", 100.0 * s.los);
    if (r->options->has_sprt)
        add_sprt(r, t, out);
}

/* -- Several players -- */

/* What one player did against another, or against all (other < 0). */
static StatsTally tally_of(const MatchResult *r, int player, int other)
{
    StatsTally sum = {0};
    for (int i = 0; i < r->pairing_count; i++) {
        const MatchPairing *p = &r->pairings[i];
        const StatsTally *t = &p->tally;
        bool first = p->a == player;
        if ((!first && p->b != player) || (other >= 0 && p->a != other && p->b != other))
            continue;
        sum.wins += first ? t->wins : t->losses;
        sum.losses += first ? t->losses : t->wins;
        sum.draws += t->draws;
        for (int k = 0; k < STATS_PAIR_KINDS; k++)
            sum.pairs[k] += t->pairs[first ? k : STATS_PAIR_KINDS - 1 - k];
    }
    return sum;
}

static double score_of(const MatchResult *r, int player)
{
    StatsTally t = tally_of(r, player, -1);
    uint64_t games = t.wins + t.draws + t.losses;
    return games ? ((double)t.wins + 0.5 * (double)t.draws) / (double)games : 0;
}

/* Player numbers, the best first. */
static void rank_players(const MatchResult *r, int *order)
{
    for (int i = 0; i < r->options->player_count; i++) {
        int k = i;
        for (; k > 0 && score_of(r, order[k - 1]) < score_of(r, i); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

static void add_row(const MatchResult *r, const int *order, int rank, Text *out)
{
    int player = order[rank];
    StatsTally all = tally_of(r, player, -1);
    StatsSummary s = stats_summary(&all);
    double points = (double)all.wins + 0.5 * (double)all.draws;
    text_addf(out, "%3d  %-20.20s %7.1f %6" PRIu64 " %6.1f %%  ", rank + 1,
              r->options->players[player].name, points, s.games, 100.0 * score_of(r, player));
    size_t before = out->len;
    add_elo_with_error(out, s.elo, s.elo_error);
    for (size_t width = out->len - before; width < 17; width++)
        text_add_char(out, ' ');
    for (int i = 0; i < r->options->player_count; i++) {
        StatsTally t = tally_of(r, player, order[i]);
        if (i == rank || t.wins + t.draws + t.losses == 0)
            text_addf(out, " %9s", i == rank ? "." : "-");
        else
            text_addf(out, " %3" PRIu64 "-%" PRIu64 "-%-3" PRIu64, t.wins, t.losses, t.draws);
    }
    text_add_char(out, '\n');
}

static void report_table(const MatchResult *r, Text *out)
{
    int *order = malloc((size_t)r->options->player_count * sizeof *order);
    if (!order) {
        out->failed = true;
        return;
    }
    rank_players(r, order);
    text_addf(out, "%3s  %-20s %7s %6s %8s  %-17s", "", "player", "points", "games", "score",
              "Elo vs the others");
    for (int i = 0; i < r->options->player_count; i++)
        text_addf(out, " %9d", i + 1);
    text_add_char(out, '\n');
    for (int i = 0; i < r->options->player_count; i++)
        add_row(r, order, i, out);
    text_addf(out, "won-lost-drawn, %" PRIu64 " of %" PRIu64 " games\n", r->games, r->wanted);
    free(order);
}

/* -- All -- */

static void report_faults(const MatchResult *r, Text *out)
{
    for (int i = 0; i < r->options->player_count; i++) {
        const MatchFaults *f = &r->faults[i];
        if (f->late + f->illegal + f->hung + f->crashed)
            text_addf(out,
                      "%s lost %" PRIu64 " on time, %" PRIu64 " by illegal moves, %" PRIu64
                      " by hanging, %" PRIu64 " by crashes\n",
                      r->options->players[i].name, f->late, f->illegal, f->hung, f->crashed);
    }
    text_add(out, r->incidents.at, r->incidents.len);
}

void match_report(const MatchResult *r, Text *out)
{
    if (!r->pairing_count)
        return;
    if (r->pairing_count == 1)
        report_two(r, out);
    else
        report_table(r, out);
    report_faults(r, out);
}
