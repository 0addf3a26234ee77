#include "classics/mantis/mantis.h"

#include "classics/mantis/mantis_eval.h"
#include "classics/plain_search.h"

enum { ANALYSER, EVALUATOR, RANDOM, SETTING_COUNT };

static const OpponentSetting settings[SETTING_COUNT] = {
    [ANALYSER] = {"analyser", SETTING_CHOICE, "alphabeta, minimax", .initial = "alphabeta",
                  .help = "search algorithm"},
    [EVALUATOR] = {"evaluator", SETTING_CHOICE, "marmoset, capuchin, sifaka, macaque, mantis",
                   .initial = "mantis", .help = "evaluation function"},
    [RANDOM] = {"random", SETTING_CHOICE, "off, on", .initial = "off",
                .help = "adds a random value from -100 to 100 to every evaluation"},
};

/* In the order of the setting's words. Marmoset leaves everything to chance; the first three know
 * no mate. */
static const struct {
    const ClassicEval *evaluator;
    bool blind;
} evaluators[] = {
    {NULL, true},
    {&capuchin_evaluator, true},
    {&sifaka_evaluator, true},
    {&macaque_evaluator, false},
    {&mantis_evaluator, false},
};

typedef struct Mantis {
    const ClassicEval *evaluator; /* NULL: marmoset */
    bool blind, minimax, random;
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    Random chance;
} Mantis;

/* Without a clock, about what the document's machine did in a game. Chance needs no depth. */
static const EffortHabits alphabeta_habits = {.depth = 4, .nodes = 1000000};
static const EffortHabits minimax_habits = {.depth = 3, .nodes = 1000000};
static const EffortHabits chance_habits = {.depth = 1, .steady = true};

static void new_game(void *self, uint64_t seed)
{
    random_seed(&((Mantis *)self)->chance, seed);
}

static Status set(void *self, int setting, const OpponentValue *value, Message *why)
{
    (void)why;
    Mantis *m = self;
    switch (setting) {
    case ANALYSER:
        m->minimax = value->number == 1;
        break;
    case EVALUATOR:
        m->evaluator = evaluators[value->number].evaluator;
        m->blind = evaluators[value->number].blind;
        if (m->evaluator)
            classic_eval_default_weights(m->evaluator, m->weights);
        break;
    default:
        m->random = value->number == 1;
    }
    return STATUS_OK;
}

static const EffortHabits *habits_of(const Mantis *m)
{
    if (!m->evaluator)
        return &chance_habits;
    return m->minimax ? &minimax_habits : &alphabeta_habits;
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Mantis *m = self;
    PlainSearchConfig plain = {.evaluator = m->evaluator,
                               .weights = m->weights,
                               .random = m->random || !m->evaluator ? &m->chance : NULL,
                               .minimax = m->minimax,
                               .blind = m->blind};
    plain_search(&plain, habits_of(m), task, answer);
}

const OpponentOps mantis_ops = {
    .size = sizeof(Mantis), .new_game = new_game, .think = think, OPPONENT_SETTINGS(settings, set)};
