/* All are one machine: every input game is handed to a function, which gives it to one of several
 * writers. Writers work on files with names of their own, which get their real ones when everything
 * is written. */
#include "train/data/data_tools.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "train/data/data_health.h"
#include "train/data/data_int.h"
#include "train/data/provenance.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PARTS_MAX = 1000,
    BUCKET_PLIES = 64 << 20, /* shuffled in memory at a time: 256 MB */
    PACK_ROOM =
        BLOCK_TARGET + 8 * DATA_MAX_PLIES /* a block and the game that completes it, unpacked */
};

/* -- Every game of the inputs, in order -- */

typedef struct Reading {
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

static Status read_all(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                       DataEach *each, void *user, Message *why)
{
    Reading *r = calloc(1, sizeof *r);
    HealthStudy *seen = o->unique ? health_new() : NULL;
    Status s = STATUS_OK;
    if (!r || (o->unique && !seen))
        s = status_fail(why, STATUS_MEMORY, "not enough memory to read games");
    else
        *r = (Reading){.stop = stop, .counts = counts, .seen = seen, .each = each, .user = user};
    for (int i = 0; i < o->input_count && s == STATUS_OK; i++)
        s = data_each_file(o->inputs[i], read_file, r, why);
    health_free(seen);
    free(r);
    return s;
}

/* -- A file on the way -- */

typedef struct Part {
    DataWriter *writer;
    char path[PATH_MAX];      /* its name when done */
    char temp[PATH_MAX + 16]; /* and until then: nobody else's */
} Part;

static void part_remove(const char *path)
{
    char name[PATH_MAX + 32];
    unlink(path);
    snprintf(name, sizeof name, "%s.tail", path);
    unlink(name);
}

/* Opens a file for the path that is set. STATUS_REFUSED when there is one already. */
static Status part_open(Part *p, Message *why)
{
    struct stat info;
    enum { SUFFIX = sizeof ".part" - 1 };
    if (stat(p->path, &info) == 0)
        return status_fail(why, STATUS_REFUSED, "%s already exists", p->path);
    snprintf(p->temp, sizeof p->temp, "%s.XXXXXX.part", p->path);
    int fd = mkstemps(p->temp, SUFFIX);
    if (fd < 0)
        return status_fail(why, STATUS_IO, "%s: %s", p->path, strerror(errno));
    fchmod(fd, 0644); /* as other data files */
    close(fd);
    Status s = data_writer_open(&p->writer, p->temp, why);
    if (s != STATUS_OK)
        part_remove(p->temp);
    return s;
}

/* A link, unlike a new name, does not replace a file that came to be there meanwhile. */
static Status part_publish(const Part *p, Message *why)
{
    if (link(p->temp, p->path) == 0) {
        unlink(p->temp);
        return STATUS_OK;
    }
    if (errno == EEXIST)
        return status_fail(why, STATUS_REFUSED, "%s already exists", p->path);
    if (rename(p->temp, p->path) == 0) /* a file system without links */
        return STATUS_OK;
    return status_fail(why, STATUS_IO, "%s: %s", p->path, strerror(errno));
}

/* Gives the file its name, or removes it when something went wrong: `status` or what follows. */
static Status part_close(Part *p, Status status, Message *why)
{
    if (!p->writer)
        return status;
    Status closed = data_writer_close(p->writer, status == STATUS_OK ? why : NULL);
    p->writer = NULL;
    if (status == STATUS_OK)
        status = closed;
    if (status == STATUS_OK)
        status = part_publish(p, why);
    if (status != STATUS_OK)
        part_remove(p->temp);
    return status;
}

/* -- One file or several in turn: merge and split -- */

typedef struct Parts {
    Part *at;
    int count;
    uint64_t next;
    Random *random; /* NULL: dealt out in turn */
} Parts;

static Status add_game(void *user, const GameRecord *game, Message *why)
{
    Parts *p = user;
    uint64_t which =
        p->random ? random_below(p->random, (uint32_t)p->count) : p->next++ % (uint64_t)p->count;
    return data_writer_add(p->at[which].writer, game, why);
}

/* Opens OUTPUT itself, or with `between` OUTPUT, BETWEEN, a number from 1 on and the suffix. */
static Status parts_open(Parts *p, const char *output, const char *between, Message *why)
{
    p->at = calloc((size_t)p->count, sizeof *p->at);
    if (!p->at)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d files", p->count);
    Status s = STATUS_OK;
    for (int i = 0; i < p->count && s == STATUS_OK; i++) {
        Part *part = &p->at[i];
        s = between ? data_path(part->path, why, "%s%s%d" DATA_SUFFIX, output, between, i + 1)
                    : data_path(part->path, why, "%s", output);
        if (s == STATUS_OK)
            s = part_open(part, why);
    }
    return s;
}

static Status parts_close(Parts *p, Status status, Message *why)
{
    for (int i = 0; p->at && i < p->count; i++)
        status = part_close(&p->at[i], status, why);
    return status;
}

Status data_merge(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                  Message *why)
{
    Parts p = {.count = 1};
    Status s = parts_open(&p, o->output, NULL, why);
    if (s == STATUS_OK)
        s = read_all(o, stop, counts, add_game, &p, why);
    s = parts_close(&p, s, why);
    free(p.at);
    return s;
}

Status data_split(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                  Message *why)
{
    Parts p = {.count = o->parts};
    if (p.count < 1 || p.count > PARTS_MAX)
        return status_fail(why, STATUS_INVALID, "the number of parts must be 1 to %d", PARTS_MAX);
    Status s = parts_open(&p, o->output, "-", why);
    if (s == STATUS_OK)
        s = read_all(o, stop, counts, add_game, &p, why);
    s = parts_close(&p, s, why);
    free(p.at);
    return s;
}

/* -- Shuffle -- */

/* The games of a bucket, encoded, and where each begins. */
typedef struct Bucket {
    Text bytes;
    size_t *at;
    size_t count, room;
} Bucket;

static Status bucket_add(void *user, const GameRecord *game, Message *why)
{
    Bucket *b = user;
    bool fits = memory_grow(&b->at, sizeof *b->at, b->count, &b->room);
    if (fits) {
        b->at[b->count++] = b->bytes.len;
        game_encode(game, &b->bytes);
    }
    return fits && !b->bytes.failed
               ? STATUS_OK
               : status_fail(why, STATUS_MEMORY, "not enough memory to shuffle");
}

static Status bucket_write(Bucket *b, Random *random, DataWriter *writer, Message *why)
{
    GameRecord *game = malloc(sizeof *game);
    Status s = game ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory to shuffle");
    for (size_t left = b->count; left && s == STATUS_OK; left--) {
        size_t k = random_below(random, (uint32_t)left), chosen = b->at[k];
        b->at[k] = b->at[left - 1];
        Span bytes = {b->bytes.at + chosen, b->bytes.len - chosen};
        game_decode(&bytes, game);
        s = data_writer_add(writer, game, why);
    }
    free(game);
    return s;
}

static Status count_plies(void *user, const GameRecord *game, Message *why)
{
    (void)why;
    *(uint64_t *)user += (uint64_t)game->count;
    return STATUS_OK;
}

/* Games are dealt out to buckets by chance, and each bucket is shuffled by itself: every order is
 * as likely as any other. */
static Status deal_to_buckets(const DataToolOptions *o, const char *base, const atomic_bool *stop,
                              Parts *p, DataToolCounts *counts, Message *why)
{
    DataToolCounts uncounted = {0};
    uint64_t plies = 0;
    DataToolOptions all = *o;
    all.unique = false;
    Status s = read_all(&all, stop, &uncounted, count_plies, &plies, why);
    if (s != STATUS_OK)
        return s;
    uint64_t buckets = 1 + plies / BUCKET_PLIES;
    p->count = buckets < PARTS_MAX ? (int)buckets : PARTS_MAX;
    s = parts_open(p, base, ".bucket-", why);
    if (s == STATUS_OK)
        s = read_all(o, stop, counts, add_game, p, why);
    return parts_close(p, s, why);
}

static Status shuffle_buckets(const Parts *p, const atomic_bool *stop, Part *out, Message *why)
{
    Status s = STATUS_OK;
    for (int i = 0; i < p->count && s == STATUS_OK; i++) {
        DataToolCounts uncounted = {0};
        Bucket bucket = {.bytes = text_new()};
        char *path = p->at[i].path;
        DataToolOptions one = {.inputs = &path, .input_count = 1};
        s = read_all(&one, stop, &uncounted, bucket_add, &bucket, why);
        if (s == STATUS_OK)
            s = bucket_write(&bucket, p->random, out->writer, why);
        text_free(&bucket.bytes);
        free(bucket.at);
    }
    return s;
}

Status data_shuffle(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                    Message *why)
{
    Random random;
    random_seed(&random, o->seed);
    Parts buckets = {.random = &random}, out = {.count = 1};
    Status s = parts_open(&out, o->output, NULL, why);
    if (s == STATUS_OK)
        s = deal_to_buckets(o, out.at->temp, stop, &buckets, counts, why);
    if (s == STATUS_OK)
        s = shuffle_buckets(&buckets, stop, out.at, why);
    s = parts_close(&out, s, why);
    for (int i = 0; buckets.at && i < buckets.count; i++)
        unlink(buckets.at[i].path);
    free(buckets.at);
    free(out.at);
    return s;
}

/* -- Pack -- */

typedef struct Packing {
    const DataToolOptions *options;
    Part part;
    int number; /* of the file being written, from 1 on */
} Packing;

static Status name_part(Packing *p, int number, Message *why)
{
    return data_path(p->part.path, why, "%s/packed-%03d" DATA_SUFFIX, p->options->output, number);
}

static Status next_part(Packing *p, Message *why)
{
    Status s = part_close(&p->part, STATUS_OK, why);
    if (s == STATUS_OK)
        s = name_part(p, p->number + 1, why);
    if (s == STATUS_OK)
        s = part_open(&p->part, why);
    p->number += s == STATUS_OK;
    return s;
}

static Status pack_game(void *user, const GameRecord *game, Message *why)
{
    Packing *p = user;
    bool full = p->part.writer && data_writer_size(p->part.writer) + PACK_ROOM > p->options->size;
    Status s = !p->part.writer || full ? next_part(p, why) : STATUS_OK;
    return s == STATUS_OK ? data_writer_add(p->part.writer, game, why) : s;
}

/* All or nothing: what was finished before something went wrong is removed. */
static void remove_parts(Packing *p)
{
    for (int i = 1; i <= p->number; i++)
        if (name_part(p, i, NULL) == STATUS_OK)
            unlink(p->part.path);
}

static Status write_provenance(const DataToolOptions *o, Message *why)
{
    char path[PATH_MAX];
    Status s = data_path(path, why, "%s/" PROVENANCE_PACKED, o->output);
    if (s != STATUS_OK)
        return s;
    Text lines = text_new();
    provenance_list(o->inputs, o->input_count, &lines);
    return file_write_text(path, &lines, why);
}

Status data_pack(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                 Message *why)
{
    if (o->size < DATA_PACK_LEAST)
        return status_fail(why, STATUS_INVALID, "the file size must be at least %d bytes",
                           DATA_PACK_LEAST);
    Status s = data_make_dir(o->output, why);
    if (s != STATUS_OK)
        return s;
    Packing p = {.options = o};
    s = part_close(&p.part, read_all(o, stop, counts, pack_game, &p, why), why);
    if (s == STATUS_OK)
        s = write_provenance(o, why);
    else
        remove_parts(&p);
    return s;
}
