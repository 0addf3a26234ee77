#include "train/data/data_health.h"
#include "train/data/data_tools_int.h"

#include <stdlib.h>

typedef struct Reading {
    const DataToolOptions *options;
    const atomic_bool *stop;
    DataToolCounts *counts;
    HealthStudy *seen; /* with `unique` */
    GameRecord game;
    EachGame *each;
    void *user;
} Reading;

static Status take_game(Reading *r, Message *why)
{
    bool is_new = true;
    Status s = r->seen ? health_is_new(r->seen, &r->game, &is_new, why) : STATUS_OK;
    if (s == STATUS_OK && is_new)
        s = r->each(r->user, &r->game, why);
    atomic_fetch_add(&r->counts->games, 1);
    atomic_fetch_add(&r->counts->positions, (uint64_t)r->game.count);
    atomic_fetch_add(&r->counts->duplicates, !is_new);
    return s;
}

static Status read_file(Reading *r, const char *path, Message *why)
{
    DataReader *reader;
    Status s = data_reader_open(&reader, path, why);
    if (s != STATUS_OK)
        return s;
    while (s == STATUS_OK) {
        s = data_reader_next(reader, &r->game, why);
        if (s == STATUS_OK)
            s = take_game(r, why);
        if (s == STATUS_OK && atomic_load(r->stop))
            s = status_fail(why, STATUS_STOPPED, "stopped");
    }
    atomic_fetch_add(&r->counts->damaged, data_reader_damaged(reader));
    data_reader_close(reader);
    return s == STATUS_END ? STATUS_OK : s;
}

Status data_read_all(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                     EachGame *each, void *user, Message *why)
{
    Reading *r = calloc(1, sizeof *r);
    HealthStudy *seen = o->unique ? health_new() : NULL;
    Status s = STATUS_OK;
    if (!r || (o->unique && !seen))
        s = status_fail(why, STATUS_MEMORY, "not enough memory to read games");
    else
        *r = (Reading){
            .options = o, .stop = stop, .counts = counts, .seen = seen, .each = each, .user = user};
    for (int i = 0; i < o->input_count && s == STATUS_OK; i++) {
        char **paths;
        int count;
        s = data_files(&paths, &count, o->inputs[i], why);
        if (s != STATUS_OK)
            break;
        for (int k = 0; k < count && s == STATUS_OK; k++)
            s = read_file(r, paths[k], why);
        data_files_free(paths, count);
    }
    health_free(seen);
    free(r);
    return s;
}
