#include "levels/human_features.h"

#include "chess/movegen.h"
#include "chess/see.h"
#include "levels/human_features_int.h"
#include "search/wdl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_LOSS = 60,
    MIDDLE_LOSS = 200, /* beyond the small one */
    BIG_LOSS = 700,    /* beyond both */
    MOST_LEAD = 300
};

double human_chance(Score s, const Position *p)
{
    if (score_is_decisive(s))
        return s > 0 ? 1 : -1;
    return 2 / (1 + exp(-0.00368208 * score_to_cp(s, p))) - 1;
}

Score human_value(const HumanValue *v)
{
    for (int d = HUMAN_DEPTHS - 1; d >= 0; d--)
        if (v->at[d] != SCORE_NONE)
            return v->at[d];
    return 0;
}

HumanFactName human_fact_name(int fact)
{
    switch (fact) {
#define SEARCH_FACT(name, text) \
    case FACT_##name:           \
    case FACT_##name + 1:       \
    case FACT_##name + 2:       \
    case FACT_##name + 3:       \
        return (HumanFactName){text, fact - FACT_##name + 1};
#define FACT(name, text) \
    case FACT_##name:    \
        return (HumanFactName){text, 0};
#include "levels/human_features.def"
#undef SEARCH_FACT
#undef FACT
    default:
        return (HumanFactName){"habits of the squares", 0};
    }
}

_Static_assert(HUMAN_DEPTHS == 4, "human_fact_name knows four depths");

void human_add(HumanFeatures *f, int index, double value)
{
    long fixed = lround(value * HUMAN_UNIT);
    if (fixed == 0 || f->count == HUMAN_MOST_ACTIVE)
        return;
    fixed = fixed > INT16_MAX ? INT16_MAX : fixed < INT16_MIN ? INT16_MIN : fixed;
    f->at[f->count++] = (HumanFeature){(uint16_t)index, (int16_t)fixed};
}

/* -- What the searches say -- */

/* The values of one depth, every move with one: those that the longer search left out come behind
 * those it lists, as far behind as the last full search says. */
static void fill_depth(const HumanValue *values, int count, int depth, Score *out)
{
    Score last = SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        out[i] = values[i].at[depth];
        if (out[i] == SCORE_NONE)
            continue;
        last = out[i] < last ? out[i] : last;
    }
    for (int i = 0; i < count; i++) {
        if (out[i] != SCORE_NONE)
            continue;
        Score shallow = depth > 0 && values[i].at[depth - 1] != SCORE_NONE
                            ? values[i].at[depth - 1]
                            : human_value(&values[i]);
        out[i] = last == SCORE_INFINITE || shallow < last ? shallow : last;
    }
}

void human_deep_scores(const HumanValue *values, int count, Score *out)
{
    fill_depth(values, count, HUMAN_DEEP, out);
}

static double part(int loss, int from, int width)
{
    int over = loss - from;
    return over <= 0 ? 0 : over >= width ? 1 : (double)over / width;
}

static void add_depth(const HumanMoment *moment, const Score *scores, int count, int depth,
                      HumanFeatures *out)
{
    Score best = -SCORE_INFINITE, second = -SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        if (scores[i] > best) {
            second = best;
            best = scores[i];
        } else if (scores[i] > second) {
            second = scores[i];
        }
    }
    double top = human_chance(best, moment->p);
    for (int i = 0; i < count; i++) {
        int better = 0, loss = best - scores[i];
        for (int k = 0; k < count; k++)
            better += scores[k] > scores[i];
        HumanFeatures *f = &out[i];
        human_add(f, FACT_LOSS_SMALL + depth, part(loss, 0, SMALL_LOSS));
        human_add(f, FACT_LOSS_MIDDLE + depth, part(loss, SMALL_LOSS, MIDDLE_LOSS));
        human_add(f, FACT_LOSS_BIG + depth, part(loss, SMALL_LOSS + MIDDLE_LOSS, BIG_LOSS));
        human_add(f, FACT_FALL + depth, top - human_chance(scores[i], moment->p));
        human_add(f, FACT_BEST + depth, better == 0);
        human_add(f, FACT_RANK + depth, log2(1.0 + better));
        if (better == 0)
            human_add(f, FACT_LEAD + depth, part(best - second, 0, MOST_LEAD));
        if (better == 1 && depth == HUMAN_DEEP)
            human_add(f, FACT_DEEP_SECOND, 1);
    }
}

static void add_searches(const HumanMoment *moment, const HumanValue *values, int count,
                         HumanFeatures *out)
{
    Score scores[MAX_MOVES];
    for (int d = 0; d < HUMAN_DEPTHS; d++) {
        fill_depth(values, count, d, scores);
        add_depth(moment, scores, count, d, out);
    }
    for (int i = 0; i < count; i++) {
        Score first = values[i].at[0], last = values[i].at[HUMAN_PLIES - 1];
        human_add(&out[i], FACT_DEEP_LISTED, values[i].at[HUMAN_DEEP] != SCORE_NONE);
        human_add(&out[i], FACT_MATE_IN_1, first == score_mate_in(1));
        human_add(&out[i], FACT_GETS_MATED, last != SCORE_NONE && score_is_loss(last));
    }
}

void human_features(const HumanMoment *moment, const HumanValue *values, int count,
                    HumanFeatures *out)
{
    for (int i = 0; i < count; i++)
        out[i].count = 0;
    add_searches(moment, values, count, out);
    HumanBoard board;
    human_board(&board, moment);
    for (int i = 0; i < count; i++)
        human_add_move(&board, values[i].move, &out[i]);
}
