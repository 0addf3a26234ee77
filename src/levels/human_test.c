#include "levels/human_test.h"

#include "base/random.h"
#include "levels/human_frame.h"
#include "levels/level.h"

#include <math.h>
#include <string.h>

static const double BLUNDER = 0.3;  /* of the winning chances, as in reviews */
static const double UNLIKELY = 0.1; /* less than this people do not hang a piece here */
enum { STRONGEST = 1800 };          /* level that people are compared with */

void human_test_begin(HumanBand bands[HUMAN_BANDS])
{
    static const int edges[HUMAN_BANDS + 1] = {0, 800, 1150, 1500, 4000};
    static const int levels[HUMAN_BANDS] = {500, 1000, 1300, 1700};
    for (int i = 0; i < HUMAN_BANDS; i++)
        bands[i] = (HumanBand){.from = edges[i], .below = edges[i + 1], .level = levels[i]};
}

typedef struct Testing {
    const HumanData *data;
    const HumanGames *games;
    const HumanTestOptions *options;
    HumanSearch *judge;
    HumanWalk walk;
    Random random;
} Testing;

static int draw(Random *random, const double *chances, int count)
{
    double at = random_unit(random);
    for (int i = 0; i < count; i++) {
        at -= chances[i];
        if (at < 0)
            return i;
    }
    return 0;
}

/* What a move gives away, by a search of its own. */
static double judge_loss(Testing *t, const Position *p, const SearchResult *best, Move m)
{
    if (m == best->best)
        return 0;
    Score s = human_search_judge(t->judge, p, m, HUMAN_JUDGE_NODES).score;
    double loss = human_chance(best->score, p) - human_chance(s, p);
    return loss > 0 ? loss : 0;
}

static void judge(Testing *t, const HumanChoice *c, const double *level, HumanBand *b)
{
    const Position *p = &t->walk.p;
    const HumanValue *values = c->sample->values;
    Move person = values[c->chosen].move, own = values[draw(&t->random, level, c->count)].move;
    SearchResult best = human_search_judge(t->judge, p, MOVE_NONE, HUMAN_JUDGE_NODES);
    double people_loss = judge_loss(t, p, &best, person);
    double level_loss = own == person ? people_loss : judge_loss(t, p, &best, own);
    b->judged++;
    b->full_match += best.best == person;
    b->judged_people_loss += people_loss;
    b->judged_level_loss += level_loss;
    b->judged_people_blunders += people_loss >= BLUNDER;
    b->judged_level_blunders += level_loss >= BLUNDER;
}

/* Where people are unlikely to hang a piece the level should not either. */
static void watch_pieces(const Position *p, const HumanChoice *c, const double *people,
                         const double *level, HumanBand *b)
{
    double likely = 0, hung = 0;
    for (int i = 0; i < c->count; i++)
        if (people[i] > 0.001 && human_hangs_piece(p, c->sample->values[i].move, false)) {
            likely += people[i];
            hung += level[i];
        }
    if (likely >= UNLIKELY)
        return;
    b->unlikely++;
    b->hung += hung;
}

/* -- What a level plays like -- */

enum { LIKE_EVERY = 3, LOWEST = 500, LIKE_STEP = 100, LEVEL_STEP = 200 };

static void add_likes(const Testing *t, const HumanChoice *c, const double *losses, HumanLikes *out)
{
    double chances[MAX_MOVES], level[MAX_MOVES];
    HumanChoice other = *c;
    out->positions++;
    for (int i = 0; i < HUMAN_LIKE_RATINGS; i++) {
        other.blend = human_blend(LOWEST + i * LIKE_STEP, 0);
        human_data_choose(t->data, &other, t->options->weights, chances);
        for (int k = 0; k < c->count; k++)
            out->people[i] += chances[k] * losses[k];
    }
    for (int i = 0; i < HUMAN_LIKE_LEVELS; i++) {
        HumanFrame frame;
        human_frame(LEVEL_MIN_ELO + i * LEVEL_STEP, &frame);
        other.blend = human_blend(frame.rating, 0);
        human_data_choose(t->data, &other, t->options->weights, chances);
        human_frame_choose(&frame, &t->walk.p, c->sample->values, chances, c->count, level);
        for (int k = 0; k < c->count; k++)
            out->levels[i] += level[k] * losses[k];
    }
}

int human_like(const HumanLikes *likes, int level)
{
    double loss = likes->levels[level];
    if (loss > likes->people[0])
        return 0;
    for (int i = 0; i + 1 < HUMAN_LIKE_RATINGS; i++) {
        double a = likes->people[i], b = likes->people[i + 1];
        if (loss <= a && loss >= b && a > b)
            return LOWEST + i * LIKE_STEP + (int)lround(LIKE_STEP * (a - loss) / (a - b));
    }
    return HUMAN_LIKE_ABOVE;
}

static void add_choice(Testing *t, const HumanChoice *c, HumanBand *b, HumanLikes *likes)
{
    double people[MAX_MOVES], order[MAX_MOVES], level[MAX_MOVES], losses[MAX_MOVES];
    const Position *p = &t->walk.p;
    HumanFrame frame;
    int likeliest = 0;
    human_data_choose(t->data, c, t->options->weights, people);
    human_data_choose(t->data, c, t->options->order_weights, order);
    human_losses(p, c->sample->values, c->count, losses);
    human_frame(c->elo < STRONGEST ? c->elo : STRONGEST, &frame);
    human_frame_choose(&frame, p, c->sample->values, people, c->count, level);
    for (int i = 0; i < c->count; i++) {
        likeliest = people[i] > people[likeliest] ? i : likeliest;
        b->level_loss += level[i] * losses[i];
        b->level_blunders += losses[i] >= BLUNDER ? level[i] : 0;
    }
    b->positions++;
    b->likeliest += likeliest == c->chosen;
    b->level_match += level[c->chosen];
    b->loglik += log(people[c->chosen] + 1e-12);
    b->order_loglik += log(order[c->chosen] + 1e-12);
    b->people_loss += losses[c->chosen];
    b->people_blunders += losses[c->chosen] >= BLUNDER;
    watch_pieces(p, c, people, level, b);
    if (random_below(&t->random, LIKE_EVERY) == 0)
        add_likes(t, c, losses, likes);
    if (random_below(&t->random, 100) < (uint32_t)t->options->judged)
        judge(t, c, level, b);
}

Status human_test(const HumanData *d, const HumanGames *g, const HumanTestOptions *options,
                  HumanBand bands[HUMAN_BANDS], HumanLikes *likes, Message *why)
{
    Testing t = {.data = d, .games = g, .options = options};
    random_seed(&t.random, options->seed);
    Status s = human_search_open(&t.judge, why);
    for (size_t i = 0; i < d->count && s == STATUS_OK; i++) {
        const HumanChoice *c = &d->choices[i];
        if (options->progress && !options->progress(options->user, i, d->count)) {
            s = status_fail(why, STATUS_STOPPED, "interrupted");
            break;
        }
        if (options->fold >= 0 && c->fold != options->fold)
            continue;
        int band = 0;
        while (band + 1 < HUMAN_BANDS && c->elo >= bands[band].below)
            band++;
        human_walk_to(&t.walk, g, c->sample->game, c->sample->ply);
        add_choice(&t, c, &bands[band], likes);
    }
    human_search_close(t.judge);
    return s;
}
