#include "classics/mantis/mantis.h"

#include "classics/mantis/mantis_eval.h"
#include "classics/plain_search.h"

#include <stdlib.h>

typedef struct Mantis {
    const MantisSetup *setup;
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    Random random;
} Mantis;

/* Without a clock, about what the document's machine did in a game. Chance needs no depth. */
static const EffortHabits alphabeta_habits = {.depth = 4, .nodes = 1000000};
static const EffortHabits minimax_habits = {.depth = 3, .nodes = 1000000};
static const EffortHabits chance_habits = {.depth = 1, .steady = true};

const MantisSetup mantis_marmoset = {.random = true, .blind = true};
const MantisSetup mantis_capuchin = {.evaluator = &capuchin_evaluator, .blind = true};
const MantisSetup mantis_sifaka = {.evaluator = &sifaka_evaluator, .blind = true};
const MantisSetup mantis_macaque = {.evaluator = &macaque_evaluator};
const MantisSetup mantis_mantis = {.evaluator = &mantis_evaluator};
const MantisSetup mantis_minimax = {.evaluator = &mantis_evaluator, .minimax = true};
const MantisSetup mantis_random = {.evaluator = &mantis_evaluator, .random = true};

static void new_game(void *self, uint64_t seed)
{
    random_seed(&((Mantis *)self)->random, seed);
}

static Status open_mind(void **self, const void *setup, uint64_t seed, Message *why)
{
    Mantis *m = calloc(1, sizeof *m);
    if (!m)
        return status_fail(why, STATUS_MEMORY, "no memory for Chess Mantis");
    m->setup = setup;
    if (m->setup->evaluator)
        classic_eval_default_weights(m->setup->evaluator, m->weights);
    new_game(m, seed);
    *self = m;
    return STATUS_OK;
}

static const EffortHabits *habits_of(const MantisSetup *s)
{
    if (!s->evaluator)
        return &chance_habits;
    return s->minimax ? &minimax_habits : &alphabeta_habits;
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Mantis *m = self;
    PlainSearchConfig plain = {.evaluator = m->setup->evaluator,
                               .weights = m->weights,
                               .random = m->setup->random ? &m->random : NULL,
                               .minimax = m->setup->minimax,
                               .blind = m->setup->blind};
    plain_answer(&plain, habits_of(m->setup), task, answer);
}

const OpponentOps mantis_ops = {
    .open = open_mind, .close = free, .new_game = new_game, .think = think};
