#include "train/positions.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/job.h"
#include "base/random.h"
#include "chess/movegen.h"
#include "chess/see.h"
#include "train/train.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "CASTPOSN"

enum { VERSION = 1, HEADER_SIZE = sizeof(Sample), FILE_POSITIONS = 4 << 20 };

/* -- Variants -- */

static bool play_random_move(Position *p, Random *random)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    if (!count)
        return false;
    Undo undo;
    pos_make(p, moves[random_below(random, (uint32_t)count)], &undo);
    return true;
}

/* A static evaluation can be asked about it: no check, nothing to win at once, a move to play. */
static bool is_quiet(const Position *p)
{
    Move moves[MAX_MOVES];
    if (pos_in_check(p) || !movegen_any(p))
        return false;
    int count = movegen(p, GEN_NOISY, moves);
    for (int i = 0; i < count; i++)
        if (move_is_promotion(moves[i]) || see_at_least(p, moves[i], 1))
            return false;
    return true;
}

static bool make_variant(const Sample *from, Random *random, Sample *to)
{
    Position p;
    if (sample_position(from, &p, NULL) != STATUS_OK || !play_random_move(&p, random))
        return false;
    if (random_below(random, 2) && !play_random_move(&p, random))
        return false;
    if (!is_quiet(&p))
        return false;
    sample_pack(to, &p, 0, RESULT_DRAW);
    return true;
}

/* -- Writing -- */

/* Each part of the set fills one file. */
typedef struct Export {
    const SampleSet *set;
    const PositionsOptions *options;
    const atomic_bool *stop;
    PositionsCounts *counts;
    size_t part_size;
} Export;

/* Into `out`, which has room for all; returns how many. */
static size_t fill_part(const Export *e, size_t from, size_t end, Sample *out)
{
    const PositionsOptions *o = e->options;
    if (!o->variants) {
        memcpy(out, e->set->at + from, (end - from) * sizeof *out);
        return end - from;
    }
    size_t count = 0;
    Random random;
    random_seed(&random, o->seed + from);
    for (size_t i = from; i < end && !atomic_load(e->stop); i++)
        for (int k = 0; k < o->variants; k++)
            count += make_variant(&e->set->at[i], &random, &out[count]);
    return count;
}

static Status write_part(void *user, int index, Message *why)
{
    const Export *e = user;
    const PositionsOptions *o = e->options;
    size_t from = (size_t)index * e->part_size;
    size_t end = from + e->part_size < e->set->count ? from + e->part_size : e->set->count;
    size_t capacity = (end - from) * (size_t)(o->variants ? o->variants : 1);
    Sample *block = calloc(capacity + 1, sizeof *block); /* the header is as long as a sample */
    if (!block)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %zu positions", capacity);
    memcpy(block, MAGIC, 8);
    bytes_put32((uint8_t *)block + 8, VERSION);
    size_t count = fill_part(e, from, end, block + 1);
    Status s = STATUS_OK;
    if (o->net && !train_values(o->net, block + 1, count))
        s = status_fail(why, STATUS_MEMORY, "not enough memory for the values of a net");
    char path[PATH_MAX];
    if (s == STATUS_OK)
        s = data_path(path, why, "%s/positions-%04d" POSITIONS_SUFFIX, o->out, index + 1);
    if (s == STATUS_OK && !atomic_load(e->stop))
        s = file_write_atomic(path, block, (count + 1) * sizeof *block, why);
    free(block);
    atomic_fetch_add(&e->counts->read, end - from);
    atomic_fetch_add(&e->counts->written, count);
    return s;
}

Status positions_export(const SampleSet *set, const PositionsOptions *options,
                        const atomic_bool *stop, PositionsCounts *counts, Message *why)
{
    Export e = {.set = set, .options = options, .stop = stop, .counts = counts};
    e.part_size = FILE_POSITIONS / (size_t)(options->variants ? options->variants : 1);
    int parts = (int)((set->count + e.part_size - 1) / e.part_size);
    return job_parts(write_part, &e, parts, options->threads, stop, why);
}

/* -- Reading -- */

static Status load_file(SampleSet *set, const char *path, Message *why)
{
    FileMap map;
    Status s = file_map(&map, path, why);
    if (s != STATUS_OK)
        return s;
    size_t count = map.len / sizeof(Sample) - (map.len >= HEADER_SIZE);
    if (map.len < HEADER_SIZE || map.len % sizeof(Sample) || memcmp(map.at, MAGIC, 8) != 0 ||
        bytes_get32(map.at + 8) != VERSION)
        s = status_fail(why, STATUS_INVALID, "%s: not a file of positions", path);
    if (s == STATUS_OK)
        s = sample_set_reserve(set, count, why);
    if (s == STATUS_OK)
        memcpy(set->at + set->count, map.at + HEADER_SIZE, count * sizeof(Sample));
    file_unmap(&map);
    for (size_t i = 0; s == STATUS_OK && i < count; i++)
        if (!sample_is_sound(&set->at[set->count + i]))
            s = status_fail(why, STATUS_INVALID, "%s: position %zu is damaged", path, i + 1);
    if (s == STATUS_OK)
        set->count += count;
    return s;
}

Status positions_load(SampleSet *set, const char *dir_or_file, Message *why)
{
    char **paths;
    int count;
    Status s = data_files(&paths, &count, dir_or_file, POSITIONS_SUFFIX, why);
    for (int i = 0; s == STATUS_OK && i < count; i++)
        s = load_file(set, paths[i], why);
    data_files_free(paths, count);
    return s;
}
