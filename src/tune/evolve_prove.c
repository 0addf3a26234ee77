/* Two weight sets against each other, many games at a time. */
#include "tune/evolve_int.h"

#include "base/thread.h"

#include <stdlib.h>

typedef struct Proof {
    const EvolveConfig *config;
    const int *a, *b;
    const atomic_bool *stop;
    int pairs;
    atomic_int next;
    Mutex lock;
    StatsTally tally; /* sums: the order of the games does not matter */
} Proof;

/* False: stopped. */
static bool play_pair(Proof *p, int number)
{
    Position start;
    Random random = evolve_random(p->config, EVOLVE_PROOF, 0, number);
    evolve_opening(&random, &start);
    int first = evolve_game(p->config, &start, p->a, p->b, p->stop);
    int second = evolve_game(p->config, &start, p->b, p->a, p->stop);
    if (first < 0 || second < 0)
        return false;
    mutex_lock(&p->lock);
    stats_add_game(&p->tally, first);
    stats_add_game(&p->tally, 2 - second);
    stats_add_pair(&p->tally, first + 2 - second);
    mutex_unlock(&p->lock);
    return true;
}

static void *work(void *arg)
{
    Proof *p = arg;
    int number;
    while ((number = atomic_fetch_add(&p->next, 1)) < p->pairs)
        if (!play_pair(p, number))
            break;
    return NULL;
}

Status evolve_prove(const EvolveConfig *config, const int *a, const int *b, int64_t games,
                    int threads, const atomic_bool *stop, StatsTally *tally, Message *why)
{
    Proof p = {.config = config, .a = a, .b = b, .stop = stop, .pairs = (int)(games / 2)};
    mutex_init(&p.lock);
    thread_run_each(work, &p, 0, threads);
    mutex_free(&p.lock);
    *tally = p.tally;
    if (atomic_load(stop))
        return status_fail(why, STATUS_STOPPED, "stopped before the last game");
    return STATUS_OK;
}
