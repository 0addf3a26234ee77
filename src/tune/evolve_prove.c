/* Two weight sets against each other, many games at a time. */
#include "tune/evolve_int.h"

#include "base/job.h"
#include "base/thread.h"

#include <stdlib.h>

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
