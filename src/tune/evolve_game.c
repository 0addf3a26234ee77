/* Openings and games: players that look a few plies ahead and differ in their weights alone. */
#include "tune/evolve_int.h"

#include "base/job.h"
#include "base/thread.h"
#include "chess/draw.h"
#include "chess/random_opening.h"
#include "classics/adaptive/adaptive.h"
#include "classics/kanji/kanji_eval.h"
#include "classics/plain_search.h"
#include "lab/lab.h"

enum {
    OPENING_PLIES = 6,
    OPENING_DEPTH = 2,  /* that the opening is judged with, and captures behind it */
    OPENING_LIMIT = 50, /* centipawns */
    MOST_PLIES = 300    /* then drawn: who cannot win in so many has not shown more */
};

Random evolve_random(const EvolveConfig *c, EvolvePurpose purpose, int generation, int number)
{
    Random r;
    uint64_t mixed = (uint64_t)c->seed;
    const uint64_t parts[] = {(uint64_t)purpose, (uint64_t)generation, (uint64_t)number};
    for (int i = 0; i < 3; i++) {
        random_seed(&r, mixed ^ (parts[i] + 1) * 0x9e3779b97f4a7c15ULL);
        mixed = random_next(&r);
    }
    random_seed(&r, mixed);
    return r;
}

/* -- Openings -- */

/* The lab's evaluation is used for openings only. */
static bool is_even(void *user, const Position *p)
{
    (void)user;
    LabSetup setup = {
        .evaluate = kanji_eval, .switches = LAB_ALPHABETA | LAB_QUIESCENCE, .depth = OPENING_DEPTH};
    LabResult r;
    return !pos_in_check(p) && lab_run(p, &setup, &r, NULL) == STATUS_OK &&
           r.value <= OPENING_LIMIT && r.value >= -OPENING_LIMIT;
}

void evolve_opening(Random *r, Position *out)
{
    const RandomOpeningRules rules = {.plies = OPENING_PLIES, .accept = is_even};
    RandomOpening opening;
    random_opening_make(&rules, r, &opening);
    *out = opening.end;
}

/* -- A game -- */

static Move think(const EvolveConfig *c, const Position *p, const int *weights,
                  const atomic_bool *stop)
{
    SearchLimits limits = {.depth = (int)c->depth, .nodes = (uint64_t)c->nodes};
    OpponentTask task = {.position = p, .limits = &limits, .stop = stop};
    EffortHabits habits = {.depth = 1};
    OpponentAnswer answer;
    PlainSearchConfig setup = {.evaluator = c->evaluator,
                               .weights = weights,
                               .order =
                                   c->evaluator == &adaptive_evaluator ? adaptive_order : NULL};
    plain_search(&setup, &habits, &task, &answer);
    return answer.move;
}

int evolve_game(const EvolveConfig *c, const Position *start, const int *white, const int *black,
                const atomic_bool *stop)
{
    Position p = *start;
    for (int ply = 0; ply < MOST_PLIES; ply++) {
        Undo undo;
        GameEnd end = draw_game_end(&p);
        if (end == GAME_CHECKMATE)
            return p.side == WHITE ? 0 : 2;
        if (end != GAME_GOES_ON)
            return 1;
        Move m = think(c, &p, p.side == WHITE ? white : black, stop);
        if (atomic_load(stop))
            return -1;
        pos_make(&p, m, &undo);
    }
    return 1;
}

/* -- Two weight sets against each other, many games at a time -- */

typedef struct Proof {
    const EvolveConfig *config;
    const int *a, *b;
    const atomic_bool *stop;
    Mutex lock;
    StatsTally tally; /* sums: the order of the games does not matter */
} Proof;

static Status play_pair(void *user, int number, Message *why)
{
    (void)why;
    Proof *p = user;
    Position start;
    Random random = evolve_random(p->config, EVOLVE_PROOF, 0, number);
    evolve_opening(&random, &start);
    int first = evolve_game(p->config, &start, p->a, p->b, p->stop);
    int second = evolve_game(p->config, &start, p->b, p->a, p->stop);
    if (first < 0 || second < 0)
        return STATUS_OK; /* stopped */
    mutex_lock(&p->lock);
    stats_add_game(&p->tally, first);
    stats_add_game(&p->tally, 2 - second);
    stats_add_pair(&p->tally, first + 2 - second);
    mutex_unlock(&p->lock);
    return STATUS_OK;
}

Status evolve_prove(const EvolveConfig *config, const int *a, const int *b, int64_t games,
                    int threads, const atomic_bool *stop, StatsTally *tally, Message *why)
{
    Proof p = {.config = config, .a = a, .b = b, .stop = stop};
    mutex_init(&p.lock);
    Status s = job_parts(play_pair, &p, (int)(games / 2), threads, stop, why);
    mutex_free(&p.lock);
    *tally = p.tally;
    return s;
}
