#include "gallery/mantis.h"

#include "gallery/mantis_eval.h"
#include "gallery/plain.h"

#include <stdlib.h>

typedef struct Mantis {
    const MantisSetup *setup;
    int weights[JUDGE_MAX_WEIGHTS];
    Random random;
} Mantis;

/* Without a clock, about what the document's machine did in a game. Chance needs no depth. */
static const EffortHabits alphabeta_habits = {.depth = 4, .nodes = 1000000};
static const EffortHabits minimax_habits = {.depth = 3, .nodes = 1000000};
static const EffortHabits chance_habits = {.depth = 1, .steady = true};

const MantisSetup mantis_marmoset = {.random = true, .blind = true};
const MantisSetup mantis_capuchin = {.judge = &judge_capuchin, .blind = true};
const MantisSetup mantis_sifaka = {.judge = &judge_sifaka, .blind = true};
const MantisSetup mantis_macaque = {.judge = &judge_macaque};
const MantisSetup mantis_mantis = {.judge = &judge_mantis};
const MantisSetup mantis_minimax = {.judge = &judge_mantis, .minimax = true};
const MantisSetup mantis_random = {.judge = &judge_mantis, .random = true};

static void new_game(void *mind, uint64_t seed)
{
    random_seed(&((Mantis *)mind)->random, seed);
}

static Status open_mind(void **mind, const void *setup, uint64_t seed, Message *why)
{
    Mantis *m = calloc(1, sizeof *m);
    if (!m)
        return status_fail(why, STATUS_MEMORY, "no memory for Chess Mantis");
    m->setup = setup;
    if (m->setup->judge)
        judge_default_weights(m->setup->judge, m->weights);
    new_game(m, seed);
    *mind = m;
    return STATUS_OK;
}

static const EffortHabits *habits_of(const MantisSetup *s)
{
    if (!s->judge)
        return &chance_habits;
    return s->minimax ? &minimax_habits : &alphabeta_habits;
}

static void think(void *mind, const OpponentTask *task, OpponentAnswer *answer)
{
    Mantis *m = mind;
    PlainSetup plain = {.judge = m->setup->judge,
                        .weights = m->weights,
                        .random = m->setup->random ? &m->random : NULL,
                        .minimax = m->setup->minimax,
                        .blind = m->setup->blind};
    plain_answer(&plain, habits_of(m->setup), task, answer);
}

const OpponentMind mantis_mind = {
    .open = open_mind, .close = free, .new_game = new_game, .think = think};
