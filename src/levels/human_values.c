#include "levels/human_values.h"

#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_MB = 1, STOP_POLL_MS = 5 };

struct HumanSearch {
    const Evaluator *net;
    SearchPool *pool;
    Latch done; /* the pool's search is over */
    HumanValue *values;
    int count;
    bool deep; /* the lines are those of the longer search */
};

void human_search_close(HumanSearch *h)
{
    if (!h)
        return;
    search_destroy(h->pool);
    evaluator_close(h->net);
    latch_free(&h->done);
    free(h);
}

Status human_search_open(HumanSearch **out, Message *why)
{
    HumanSearch *h = calloc(1, sizeof *h);
    if (!h)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a level");
    latch_init(&h->done);
    Status s = evaluator_default(&h->net, why);
    if (s == STATUS_OK)
        s = search_create(&h->pool, h->net, HASH_MB, why);
    return GIVE_OR_CLOSE(s, out, h, human_search_close);
}

static HumanValue *find_value(HumanSearch *h, Move m)
{
    for (int i = 0; i < h->count; i++)
        if (h->values[i].move == m)
            return &h->values[i];
    return NULL;
}

static void on_line(void *user, const SearchLine *line)
{
    HumanSearch *h = user;
    HumanValue *v = line->pv_length > 0 ? find_value(h, line->pv[0]) : NULL;
    if (!v)
        return;
    if (h->deep)
        v->at[HUMAN_DEEP] = line->score;
    else if (line->depth >= 1 && line->depth <= HUMAN_PLIES)
        v->at[line->depth - 1] = line->score;
}

static void on_done(void *user, const SearchResult *result)
{
    (void)result;
    latch_open(&((HumanSearch *)user)->done);
}

static uint64_t search_once(HumanSearch *h, const Position *p, const SearchLimits *limits,
                            int lines, const atomic_bool *stop)
{
    SearchOptions options = {.multi_pv = lines};
    SearchEvents events = {.user = h, .line = on_line, .done = on_done};
    latch_close(&h->done);
    search_start(h->pool, p, limits, &options, &events);
    while (!latch_wait(&h->done, STOP_POLL_MS))
        if (atomic_load(stop))
            search_stop(h->pool);
    search_wait(h->pool);
    return search_nodes(h->pool);
}

uint64_t human_search_values(HumanSearch *h, const Position *p, const Move *moves, int count,
                             int plies, const atomic_bool *stop, HumanValue *out)
{
    h->values = out;
    h->count = count;
    SearchLimits limits = {.depth = plies, .nodes = HUMAN_FULL_NODES, .only_count = count};
    for (int i = 0; i < count; i++) {
        out[i].move = limits.only[i] = moves[i];
        for (int d = 0; d < HUMAN_DEPTHS; d++)
            out[i].at[d] = SCORE_NONE;
    }
    search_clear(h->pool);
    h->deep = false;
    uint64_t nodes = search_once(h, p, &limits, count, stop);
    if (plies == HUMAN_PLIES && !atomic_load(stop)) {
        h->deep = true;
        limits.depth = 0;
        limits.nodes = HUMAN_DEEP_NODES;
        nodes += search_once(h, p, &limits, count < HUMAN_LINES ? count : HUMAN_LINES, stop);
    }
    h->values = NULL;
    h->count = 0;
    return nodes;
}

SearchResult human_search_judge(HumanSearch *h, const Position *p, Move only, uint64_t nodes)
{
    SearchLimits limits = {.nodes = nodes};
    if (only != MOVE_NONE) {
        limits.only[0] = only;
        limits.only_count = 1;
    }
    SearchOptions options = {.multi_pv = 1};
    search_clear(h->pool);
    return search_run(h->pool, p, &limits, &options, &(SearchEvents){0});
}
