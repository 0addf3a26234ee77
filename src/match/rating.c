#include "match/rating.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200 };
static const double PER_LOGIT = 173.7178, CONFIDENCE = 1.96, ENOUGH = 1e-7, LONGEST_STEP = 1.5;

/* The drawn game that keeps everybody finite, as information in logits. */
static const double PRIOR_GAMES = 1;

/* -- The table -- */

Status rating_init(RatingTable *t, Message *why)
{
    const size_t square = (size_t)RATING_MAX_PLAYERS * RATING_MAX_PLAYERS;
    *t = (RatingTable){.players = calloc(RATING_MAX_PLAYERS, sizeof *t->players),
                       .scores = calloc(square, sizeof *t->scores)};
    if (t->players && t->scores)
        return STATUS_OK;
    rating_free(t);
    return status_fail(why, STATUS_MEMORY, "not enough memory for ratings");
}

void rating_free(RatingTable *t)
{
    free(t->players);
    free(t->scores);
    *t = (RatingTable){0};
}

Status rating_player(RatingTable *t, Span name, int *index, Message *why)
{
    char shown[RATING_NAME_SIZE];
    span_show(name, shown, sizeof shown);
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->players[i].name, shown) == 0) {
            *index = i;
            return STATUS_OK;
        }
    if (t->count == RATING_MAX_PLAYERS)
        return status_fail(why, STATUS_REFUSED, "more than %d players", RATING_MAX_PLAYERS);
    memcpy(t->players[t->count].name, shown, sizeof shown);
    *index = t->count++;
    return STATUS_OK;
}

void rating_anchor(RatingTable *t, int player, double rating)
{
    t->players[player].anchored = true;
    t->players[player].rating = rating;
}

static RatingScore *score_of(const RatingTable *t, int a, int b)
{
    return &t->scores[(size_t)a * RATING_MAX_PLAYERS + (size_t)b];
}

static void add_points(RatingTable *t, int a, int b, double points)
{
    score_of(t, a, b)->games++;
    score_of(t, a, b)->points += points;
    t->players[a].games++;
    t->players[a].points += points;
}

void rating_add(RatingTable *t, int a, int b, int half_points)
{
    if (a == b)
        return;
    add_points(t, a, b, half_points / 2.0);
    add_points(t, b, a, 1 - half_points / 2.0);
}

/* -- The fit: Newton's method on the log-likelihood, in logits -- */

typedef struct Fit {
    int count;
    double at[RATING_MAX_PLAYERS];
    double gradient[RATING_MAX_PLAYERS];
    double *information; /* count by count */
} Fit;

static double expected(double a, double b)
{
    return 1 / (1 + exp(b - a));
}

/* Anchors get a row of the unit matrix: they do not move. */
static void set_up(const RatingTable *t, Fit *f, double guess)
{
    int n = f->count;
    memset(f->information, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        double p = expected(f->at[i], guess);
        bool fixed = t->players[i].anchored;
        f->gradient[i] = fixed ? 0 : PRIOR_GAMES * (0.5 - p);
        f->information[i * n + i] = fixed ? 1 : PRIOR_GAMES * p * (1 - p);
        for (int k = 0; k < n && !fixed; k++) {
            const RatingScore *score = score_of(t, i, k);
            double games = (double)score->games;
            double q = expected(f->at[i], f->at[k]), w = games * q * (1 - q);
            f->gradient[i] += score->points - games * q;
            f->information[i * n + i] += w;
            if (!t->players[k].anchored)
                f->information[i * n + k] -= w;
        }
    }
}

/* Cholesky in place: the lower triangle becomes L. The prior makes the matrix definite. */
static void decompose(double *m, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            double sum = m[i * n + k];
            for (int j = 0; j < k; j++)
                sum -= m[i * n + j] * m[k * n + j];
            m[i * n + k] = i == k ? sqrt(sum) : sum / m[k * n + k];
        }
}

/* Solves L L^T x = b in place. */
static void solve(const double *m, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= m[i * n + j] * x[j];
        x[i] /= m[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= m[j * n + i] * x[j];
        x[i] /= m[i * n + i];
    }
}

/* True when nobody moved any more. */
static bool step(const RatingTable *t, Fit *f, double guess)
{
    set_up(t, f, guess);
    decompose(f->information, f->count);
    solve(f->information, f->count, f->gradient);
    double most = 0;
    for (int i = 0; i < f->count; i++)
        most = fmax(most, fabs(f->gradient[i]));
    double scale = most > LONGEST_STEP ? LONGEST_STEP / most : 1;
    for (int i = 0; i < f->count; i++)
        f->at[i] += scale * f->gradient[i];
    return most < ENOUGH;
}

/* Without anchors only differences are measured: the mean is held where it is, and the freedom of
 * all to move together is no error of anyone. `row_sum` is that of the covariances. */
static double variance_about_mean(double variance, double row_sum, double sum, int n)
{
    return fmax(0, variance - 2 * row_sum / n + sum / n / n);
}

static void find_errors(const RatingTable *t, Fit *f, double guess, bool anchored)
{
    int n = f->count;
    set_up(t, f, guess);
    decompose(f->information, n);
    double row_sums[RATING_MAX_PLAYERS], sum = 0;
    for (int i = 0; i < n; i++)
        row_sums[i] = 1;
    solve(f->information, n, row_sums);
    for (int i = 0; i < n; i++)
        sum += row_sums[i];
    for (int i = 0; i < n; i++) {
        double x[RATING_MAX_PLAYERS] = {0};
        x[i] = 1;
        solve(f->information, n, x);
        double variance = anchored ? x[i] : variance_about_mean(x[i], row_sums[i], sum, n);
        t->players[i].error = t->players[i].anchored ? 0 : CONFIDENCE * PER_LOGIT * sqrt(variance);
    }
}

static void move_mean_to(Fit *f, double mean)
{
    double sum = 0;
    for (int i = 0; i < f->count; i++)
        sum += f->at[i];
    for (int i = 0; i < f->count; i++)
        f->at[i] += mean - sum / f->count;
}

/* Where nobody knows better: the mean of the anchors, or of all. */
static double first_guess(const RatingTable *t, bool *anchored)
{
    double sum = 0;
    int anchors = 0;
    for (int i = 0; i < t->count; i++)
        if (t->players[i].anchored) {
            sum += t->players[i].rating;
            anchors++;
        }
    *anchored = anchors > 0;
    return (anchors ? sum / anchors : RATING_MEAN) / PER_LOGIT;
}

Status rating_fit(RatingTable *t, Message *why)
{
    bool anchored;
    double guess = first_guess(t, &anchored);
    Fit f = {.count = t->count,
             .information = malloc((size_t)t->count * (size_t)t->count * sizeof(double) + 1)};
    if (!f.information)
        return status_fail(why, STATUS_MEMORY, "not enough memory for ratings");
    for (int i = 0; i < t->count; i++)
        f.at[i] = t->players[i].anchored ? t->players[i].rating / PER_LOGIT : guess;
    for (int i = 0; i < ROUNDS && !step(t, &f, guess); i++)
        continue;
    find_errors(t, &f, guess, anchored);
    if (!anchored)
        move_mean_to(&f, guess);
    for (int i = 0; i < t->count; i++)
        t->players[i].rating = f.at[i] * PER_LOGIT;
    free(f.information);
    return STATUS_OK;
}

/* -- Telling -- */

static void find_order(const RatingTable *t, int order[RATING_MAX_PLAYERS])
{
    for (int i = 0; i < t->count; i++) {
        int k = i;
        for (; k > 0 && t->players[order[k - 1]].rating < t->players[i].rating; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

static double percent(double points, uint64_t games)
{
    return games ? 100 * points / (double)games : 0;
}

void rating_report(const RatingTable *t, Text *out)
{
    int order[RATING_MAX_PLAYERS];
    find_order(t, order);
    text_addf(out, "%4s  %-28s %7s %6s %7s %7s\n", "", "player", "rating", "+-", "games", "score");
    for (int i = 0; i < t->count; i++) {
        const RatingPlayer *p = &t->players[order[i]];
        text_addf(out, "%4d  %-28s %7.0f ", i + 1, p->name, p->rating);
        if (p->anchored)
            text_addf(out, "%6s", "anchor");
        else
            text_addf(out, "%6.0f", p->error);
        text_addf(out, " %7" PRIu64 " %5.1f %%\n", p->games, percent(p->points, p->games));
    }
}

void rating_crosstable(const RatingTable *t, Text *out)
{
    int order[RATING_MAX_PLAYERS];
    find_order(t, order);
    text_add_str(out, "| | player | rating |");
    for (int i = 0; i < t->count; i++)
        text_addf(out, " %d |", i + 1);
    text_add_str(out, "\n|---|---|---|");
    for (int i = 0; i < t->count; i++)
        text_add_str(out, "---|");
    for (int i = 0; i < t->count; i++) {
        const RatingPlayer *p = &t->players[order[i]];
        text_addf(out, "\n| %d | %s | %.0f |", i + 1, p->name, p->rating);
        for (int k = 0; k < t->count; k++) {
            const RatingScore *s = score_of(t, order[i], order[k]);
            if (s->games)
                text_addf(out, " %.0f %% (%" PRIu64 ") |", percent(s->points, s->games), s->games);
            else
                text_add_str(out, " |");
        }
    }
    text_add_char(out, '\n');
}
