#include "tune/evolve_int.h"

#include "base/thread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far evolution looks around, moves and closes in. */
static const double first_reach = 0.75; /* of a weight's value, on both sides */
static const double least_reach =
    0.1;                            /* of the range that the evaluator allows: for weights near 0 */
static const double mutation = 0.5; /* of the bounds' width, the farthest step */
static const double following = 0.5;  /* of the way to the winners */
static const double closing = 0.96;   /* of the width, each generation */
static const double edge = 0.1;       /* of the width: a winner so near to a bound keeps it wide */
static const double agreement = 0.02; /* of the first width */

EvolveConfig evolve_defaults(const ClassicEval *evaluator)
{
    return (EvolveConfig){.evaluator = evaluator,
                          .population = 5,
                          .games = 2,
                          .depth = 2,
                          .generations = 100,
                          .seed = 1};
}

/* -- Weights -- */

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

/* Bounds lie on a grid, so that a last binary digit, which compilers do not agree on, changes
 * nothing. */
static double snap(double v)
{
    return floor(v * 1024 + 0.5) / 1024;
}

static int drawn_between(Random *r, double low, double high)
{
    double v = low + (high - low) * random_unit(r);
    return (int)floor(v + 0.5);
}

/* Whole numbers within the bounds, at least the one nearest to them. */
static int within(const EvolveGeneration *g, int i, double v)
{
    double low = ceil(g->low[i] - 0.5), high = floor(g->high[i] + 0.5);
    return (int)clamp(floor(v + 0.5), low, high);
}

static void set_bounds(const ClassicEvalWeight *w, EvolveGeneration *g, int i, double middle)
{
    double half = g->width[i] / 2;
    middle = clamp(middle, w->min + half, w->max - half);
    g->low[i] = snap(middle - half);
    g->high[i] = snap(middle + half);
}

static void mutate(const EvolveConfig *c, const EvolveGeneration *g, Random *r, EvolvePerson *p)
{
    for (int i = 0; i < c->evaluator->weight_count; i++) {
        double step = mutation * g->width[i];
        p->weights[i] = within(g, i, drawn_between(r, p->weights[i] - step, p->weights[i] + step));
    }
}

/* The original's weights first, the others anywhere within the first bounds. */
static void begin(const EvolveConfig *c, EvolveGeneration *g)
{
    const ClassicEval *j = c->evaluator;
    for (int i = 0; i < j->weight_count; i++) {
        const ClassicEvalWeight *w = &j->weights[i];
        double range = w->max - w->min;
        g->width[i] = fmin(range, 2 * fmax(first_reach * abs(w->value), least_reach * range));
        set_bounds(w, g, i, w->value);
    }
    classic_eval_default_weights(j, g->people[0].weights);
    for (int k = 1; k < c->population; k++) {
        Random r = evolve_random(c, EVOLVE_BIRTH, 0, k);
        for (int i = 0; i < j->weight_count; i++)
            g->people[k].weights[i] = within(g, i, drawn_between(&r, g->low[i], g->high[i]));
    }
}

/* -- A generation -- */

typedef struct Duel {
    int slots[2];
    int started, played;             /* games */
    int8_t halves[EVOLVE_MAX_GAMES]; /* of each game, half points of the first slot */
    EvolvePerson winner;
    bool over, has_winner;
} Duel;

typedef struct Round {
    const EvolveConfig *config;
    const atomic_bool *stop;
    EvolveGeneration *now; /* becomes the next */
    int number;
    Duel duels[EVOLVE_MAX_POPULATION];
    int duel_count;
    Mutex lock;
    Condition changed;
} Round;

/* A duel waits for those before it that may change who stands in its slots. */
static bool is_ready(const Round *r, int k)
{
    for (int i = 0; i < k; i++)
        for (int side = 0; side < 2; side++)
            if (!r->duels[i].over && (r->duels[i].slots[side] == r->duels[k].slots[0] ||
                                      r->duels[i].slots[side] == r->duels[k].slots[1]))
                return false;
    return true;
}

/* The next game that can be played, or false: none just now. */
static bool next_game(Round *r, int *duel, int *game)
{
    for (int k = 0; k < r->duel_count; k++) {
        Duel *d = &r->duels[k];
        if (d->started < r->config->games && is_ready(r, k)) {
            *duel = k;
            *game = d->started++;
            return true;
        }
    }
    return false;
}

static bool is_over(const Round *r)
{
    for (int k = 0; k < r->duel_count; k++)
        if (!r->duels[k].over)
            return false;
    return true;
}

/* A copy of the winner takes the loser's place. */
static void replace_loser(Round *r, int k)
{
    Duel *d = &r->duels[k];
    int sum = 0, games = (int)r->config->games;
    for (int i = 0; i < games; i++)
        sum += d->halves[i];
    d->over = true;
    d->has_winner = sum != games;
    if (!d->has_winner)
        return;
    int winner = d->slots[sum < games], loser = d->slots[sum > games];
    Random random = evolve_random(r->config, EVOLVE_MUTATION, r->number, k);
    d->winner = r->now->people[winner];
    r->now->people[loser] = d->winner;
    if (!r->config->plain)
        mutate(r->config, r->now, &random, &r->now->people[loser]);
}

/* The first slot has White in the first game of each opening. */
static int play(const Round *r, int duel, int game, const EvolvePerson *a, const EvolvePerson *b)
{
    Position start;
    int number = duel * (int)r->config->games + game / 2;
    Random random = evolve_random(r->config, EVOLVE_OPENING, r->number, number);
    evolve_opening(&random, &start);
    if (game % 2 == 0)
        return evolve_game(r->config, &start, a->weights, b->weights, r->stop);
    int halves = evolve_game(r->config, &start, b->weights, a->weights, r->stop);
    return halves < 0 ? halves : 2 - halves;
}

static void *work(void *arg)
{
    Round *r = arg;
    int k, game;
    mutex_lock(&r->lock);
    while (!is_over(r) && !atomic_load(r->stop)) {
        if (!next_game(r, &k, &game)) {
            condition_wait_ms(&r->changed, &r->lock, 100);
            continue;
        }
        Duel *d = &r->duels[k];
        EvolvePerson a = r->now->people[d->slots[0]], b = r->now->people[d->slots[1]];
        mutex_unlock(&r->lock);
        int halves = play(r, k, game, &a, &b);
        mutex_lock(&r->lock);
        if (halves < 0)
            break;
        d->halves[game] = (int8_t)halves;
        if (++d->played == r->config->games)
            replace_loser(r, k);
        condition_signal_all(&r->changed);
    }
    mutex_unlock(&r->lock);
    return NULL;
}

/* Slot i meets any slot behind it. */
static void draw_pairs(Round *r)
{
    Random random = evolve_random(r->config, EVOLVE_PAIRING, r->number, 0);
    int last = (int)r->config->population - 1;
    for (int i = 0; i < last; i++) {
        Duel *d = &r->duels[r->duel_count];
        d->slots[0] = i;
        d->slots[1] = i + 1 + (int)random_below(&random, (uint32_t)(last - i));
        r->duel_count++;
    }
}

/* -- From one generation to the next -- */

/* The mean of the winners' weight; false: all matches were drawn. */
static bool winners_mean(const Round *r, int weight, double *mean)
{
    int sum = 0, count = 0;
    for (int k = 0; k < r->duel_count; k++) {
        if (r->duels[k].has_winner) {
            sum += r->duels[k].winner.weights[weight];
            count++;
        }
    }
    *mean = count ? (double)sum / count : 0;
    return count > 0;
}

static void follow_winners(const Round *r)
{
    const ClassicEval *j = r->config->evaluator;
    EvolveGeneration *g = r->now;
    for (int i = 0; i < j->weight_count; i++) {
        double mean, middle = (g->low[i] + g->high[i]) / 2, margin = edge * g->width[i];
        if (!winners_mean(r, i, &mean))
            return;
        bool low = mean < g->low[i] + margin && g->low[i] > j->weights[i].min;
        bool high = mean > g->high[i] - margin && g->high[i] < j->weights[i].max;
        if (!low && !high)
            g->width[i] = snap(g->width[i] * closing);
        set_bounds(&j->weights[i], g, i, middle + following * (mean - middle));
    }
}

static void keep_results(const Round *r)
{
    StatsTally *t = &r->now->results;
    *t = (StatsTally){0};
    for (int k = 0; k < r->duel_count; k++)
        for (int i = 0; i < r->config->games; i++) {
            const int8_t *halves = r->duels[k].halves;
            stats_add_game(t, halves[i]);
            if (i % 2)
                stats_add_pair(t, halves[i - 1] + halves[i]);
        }
}

static Status play_generation(const EvolveOptions *o, EvolveState *s, const atomic_bool *stop,
                              Message *why)
{
    EvolveGeneration next = s->generations[s->count - 1];
    Round r = {.config = &s->config, .stop = stop, .now = &next, .number = s->count};
    mutex_init(&r.lock);
    condition_init(&r.changed);
    draw_pairs(&r);
    thread_run_each(work, &r, 0, o->threads);
    Status status = is_over(&r)
                        ? evolve_add(s, why)
                        : status_fail(why, STATUS_STOPPED, "stopped in generation %d", s->count);
    if (status == STATUS_OK) {
        follow_winners(&r);
        keep_results(&r);
        s->generations[s->count - 1] = next;
    }
    condition_free(&r.changed);
    mutex_free(&r.lock);
    return status;
}

static Status prepare(const EvolveOptions *o, EvolveState *s, Message *why)
{
    if (o->resume) {
        Status status = evolve_state_read(s, o->state, why);
        s->config.generations = o->config.generations;
        if (status == STATUS_OK && o->config.evaluator &&
            o->config.evaluator != s->config.evaluator)
            status = status_fail(why, STATUS_REFUSED, "%s: state of an evolution of %s", o->state,
                                 s->config.evaluator->name);
        return status;
    }
    s->config = o->config;
    if (!s->config.evaluator->weight_count)
        return status_fail(why, STATUS_REFUSED, "%s has no weights", s->config.evaluator->name);
    Status status = evolve_add(s, why);
    if (status != STATUS_OK)
        return status;
    begin(&s->config, &s->generations[0]);
    return o->state ? evolve_state_write(s, o->state, why) : STATUS_OK;
}

Status evolve_run(const EvolveOptions *o, const atomic_bool *stop, EvolveState *s, Message *why)
{
    *s = (EvolveState){0};
    Status status = prepare(o, s, why);
    while (status == STATUS_OK && s->count <= s->config.generations && !evolve_agrees(s)) {
        status = play_generation(o, s, stop, why);
        if (status == STATUS_OK && o->state)
            status = evolve_state_write(s, o->state, why);
        if (status == STATUS_OK && o->news)
            o->news(o->user, s);
    }
    return status;
}

/* -- What has become of it -- */

Status evolve_add(EvolveState *s, Message *why)
{
    EvolveGeneration *more = realloc(s->generations, (size_t)(s->count + 1) * sizeof *more);
    if (!more)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a generation");
    s->generations = more;
    memset(&more[s->count++], 0, sizeof *more);
    return STATUS_OK;
}

void evolve_free(EvolveState *s)
{
    free(s->generations);
    *s = (EvolveState){0};
}

bool evolve_agrees(const EvolveState *s)
{
    const EvolveGeneration *g = &s->generations[s->count - 1];
    for (int i = 0; i < s->config.evaluator->weight_count; i++) {
        int least = g->people[0].weights[i], most = least;
        for (int k = 1; k < s->config.population; k++) {
            int v = g->people[k].weights[i];
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        if (most - least > fmax(1, agreement * s->generations[0].width[i]))
            return false;
    }
    return true;
}

void evolve_result(const EvolveState *s, int weights[CLASSIC_EVAL_MAX_WEIGHTS])
{
    const EvolveGeneration *g = &s->generations[s->count - 1];
    memset(weights, 0, CLASSIC_EVAL_MAX_WEIGHTS * sizeof *weights);
    for (int i = 0; i < s->config.evaluator->weight_count; i++) {
        double sum = 0;
        for (int k = 0; k < s->config.population; k++)
            sum += g->people[k].weights[i];
        weights[i] = (int)floor(sum / (double)s->config.population + 0.5);
    }
}

void evolve_report(const EvolveState *s, Text *out)
{
    const EvolveGeneration *g = &s->generations[s->count - 1];
    uint64_t games = 0;
    int result[CLASSIC_EVAL_MAX_WEIGHTS];
    evolve_result(s, result);
    for (int i = 0; i < s->count; i++) {
        const StatsTally *t = &s->generations[i].results;
        games += t->wins + t->draws + t->losses;
    }
    text_addf(out, "%s: generation %d, %llu games, %s\n\n%-22s %9s %9s %17s\n",
              s->config.evaluator->title, s->count - 1, (unsigned long long)games,
              evolve_agrees(s) ? "all agree" : "not all agree yet", "weight", "initial", "now",
              "bounds");
    for (int i = 0; i < s->config.evaluator->weight_count; i++)
        text_addf(out, "%-22s %9d %9d %8.1f %8.1f\n", s->config.evaluator->weights[i].name,
                  s->config.evaluator->weights[i].value, result[i], g->low[i], g->high[i]);
}
