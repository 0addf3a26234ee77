#include "train/data/data_health.h"
#include "train/data/data_tools_int.h"

#include <stdlib.h>

typedef struct Reading {
    const DataToolOptions *options;
    const atomic_bool *stop;
    DataToolCounts *counts;
    HealthStudy *seen; /* with `unique` */
    GameRecord game;
    DataEach *each;
    void *user;
} Reading;

static Status take_game(void *user, const GameRecord *game, Message *why)
{
    Reading *r = user;
    bool is_new = true;
    Status s = r->seen ? health_is_new(r->seen, game, &is_new, why) : STATUS_OK;
    if (s == STATUS_OK && is_new)
        s = r->each(r->user, game, why);
    atomic_fetch_add(&r->counts->games, 1);
    atomic_fetch_add(&r->counts->positions, (uint64_t)game->count);
    atomic_fetch_add(&r->counts->duplicates, !is_new);
    return s;
}

static Status read_file(void *user, const char *path, Message *why)
{
    Reading *r = user;
    DataFileCounts file = {0};
    Status s = data_read_file(path, &r->game, take_game, r, r->stop, &file, why);
    atomic_fetch_add(&r->counts->damaged, file.damaged);
    return s;
}

Status data_read_all(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                     DataEach *each, void *user, Message *why)
{
    Reading *r = calloc(1, sizeof *r);
    HealthStudy *seen = o->unique ? health_new() : NULL;
    Status s = STATUS_OK;
    if (!r || (o->unique && !seen))
        s = status_fail(why, STATUS_MEMORY, "not enough memory to read games");
    else
        *r = (Reading){
            .options = o, .stop = stop, .counts = counts, .seen = seen, .each = each, .user = user};
    for (int i = 0; i < o->input_count && s == STATUS_OK; i++)
        s = data_each_file(o->inputs[i], read_file, r, why);
    health_free(seen);
    free(r);
    return s;
}
