/* All three are one machine: every input game is handed to a function, which gives it to one of
 * several writers. Writers work on files with names of their own, which get their real ones when
 * everything is written. */
#include "train/data/data_tools_int.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "chess/fen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PARTS_MAX = 1000,
    BUCKET_PLIES = 64 << 20 /* shuffled in memory at a time: 256 MB */
};

/* -- Merge -- */

static Status merge_game(void *user, const GameRecord *game, Message *why)
{
    Part *part = user;
    return data_writer_add(part->writer, game, why);
}

static Status open_output(Part **out, const char *path, Message *why)
{
    Part *p = *out = calloc(1, sizeof *p);
    if (!p)
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    if (snprintf(p->path, sizeof p->path, "%s", path) >= (int)sizeof p->path)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", path);
    return part_open(p, why);
}

static Status close_output(Part *p, Status status, Message *why)
{
    if (p)
        status = part_close(p, status, why);
    free(p);
    return status;
}

Status data_merge(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                  Message *why)
{
    Part *part;
    Status s = open_output(&part, o->output, why);
    if (s == STATUS_OK)
        s = data_read_all(o, stop, counts, merge_game, part, why);
    return close_output(part, s, why);
}

/* -- Several parts: split, and the first half of shuffle -- */

typedef struct Parts {
    Part *at;
    int count;
    uint64_t next;
    Random *random; /* NULL: dealt out in turn */
} Parts;

static Status deal_game(void *user, const GameRecord *game, Message *why)
{
    Parts *p = user;
    uint64_t which =
        p->random ? random_below(p->random, (uint32_t)p->count) : p->next++ % (uint64_t)p->count;
    return data_writer_add(p->at[which].writer, game, why);
}

/* Opens parts named by the format, which takes OUTPUT and a number. */
static Status parts_open(Parts *p, const char *output, const char *between, Message *why)
{
    p->at = calloc((size_t)p->count, sizeof *p->at);
    if (!p->at)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d files", p->count);
    for (int i = 0; i < p->count; i++) {
        Part *part = &p->at[i];
        int len = snprintf(part->path, sizeof part->path, "%s%s%d.cgd", output, between, i + 1);
        if (len >= (int)sizeof part->path)
            return status_fail(why, STATUS_INVALID, "%.100s...: path too long", output);
        Status s = part_open(part, why);
        if (s != STATUS_OK)
            return s;
    }
    return STATUS_OK;
}

static Status parts_close(Parts *p, Status status, Message *why)
{
    for (int i = 0; p->at && i < p->count; i++)
        status = part_close(&p->at[i], status, why);
    return status;
}

Status data_split(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                  Message *why)
{
    Parts p = {.count = o->parts};
    if (p.count < 1 || p.count > PARTS_MAX)
        return status_fail(why, STATUS_INVALID, "the number of parts must be 1 to %d", PARTS_MAX);
    Status s = parts_open(&p, o->output, "-", why);
    if (s == STATUS_OK)
        s = data_read_all(o, stop, counts, deal_game, &p, why);
    s = parts_close(&p, s, why);
    free(p.at);
    return s;
}

/* -- Shuffle -- */

/* A game in little memory. */
typedef struct Packed {
    char *fen; /* NULL: the usual start */
    bool chess960;
    Result result;
    int count;
    DataPly plies[];
} Packed;

typedef struct Bucket {
    Packed **at;
    size_t count, room;
} Bucket;

static void bucket_clear(Bucket *b)
{
    for (size_t i = 0; i < b->count; i++) {
        free(b->at[i]->fen);
        free(b->at[i]);
    }
    free(b->at);
    *b = (Bucket){0};
}

static Status bucket_add(void *user, const GameRecord *game, Message *why)
{
    Bucket *b = user;
    char fen[FEN_SIZE];
    if (!memory_grow(&b->at, sizeof *b->at, b->count, &b->room))
        return status_fail(why, STATUS_MEMORY, "not enough memory to shuffle");
    fen_write(&game->start, game->start.chess960 ? FEN_SHREDDER : FEN_X, fen);
    bool usual = strcmp(fen, FEN_START) == 0;
    Packed *p = malloc(sizeof *p + (size_t)game->count * sizeof p->plies[0]);
    char *copy = usual ? NULL : strdup(fen);
    if (!p || (!usual && !copy)) {
        free(p);
        free(copy);
        return status_fail(why, STATUS_MEMORY, "not enough memory to shuffle");
    }
    *p = (Packed){copy, game->start.chess960, game->result, game->count};
    memcpy(p->plies, game->plies, (size_t)game->count * sizeof p->plies[0]);
    b->at[b->count++] = p;
    return STATUS_OK;
}

static Status unpack(const Packed *p, GameRecord *game, Message *why)
{
    game->result = p->result;
    game->count = p->count;
    memcpy(game->plies, p->plies, (size_t)p->count * sizeof p->plies[0]);
    if (p->fen)
        return fen_parse(&game->start, span_of(p->fen), p->chess960, why);
    pos_set_start(&game->start);
    return STATUS_OK;
}

static Status bucket_write(Bucket *b, Random *random, DataWriter *writer, Message *why)
{
    GameRecord *game = malloc(sizeof *game);
    Status s = game ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory to shuffle");
    for (size_t left = b->count; left && s == STATUS_OK; left--) {
        size_t k = random_below(random, (uint32_t)left);
        Packed *chosen = b->at[k];
        b->at[k] = b->at[left - 1];
        b->at[left - 1] = chosen;
        s = unpack(chosen, game, why);
        if (s == STATUS_OK)
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
    Status s = data_read_all(&all, stop, &uncounted, count_plies, &plies, why);
    if (s != STATUS_OK)
        return s;
    uint64_t buckets = 1 + plies / BUCKET_PLIES;
    p->count = buckets < PARTS_MAX ? (int)buckets : PARTS_MAX;
    s = parts_open(p, base, ".bucket-", why);
    if (s == STATUS_OK)
        s = data_read_all(o, stop, counts, deal_game, p, why);
    return parts_close(p, s, why);
}

static Status shuffle_buckets(const Parts *p, const atomic_bool *stop, Part *out, Message *why)
{
    Status s = STATUS_OK;
    for (int i = 0; i < p->count && s == STATUS_OK; i++) {
        DataToolCounts uncounted = {0};
        Bucket bucket = {0};
        union {
            const char *path;
            char *input;
        } name = {p->at[i].path};
        DataToolOptions one = {.inputs = &name.input, .input_count = 1};
        s = data_read_all(&one, stop, &uncounted, bucket_add, &bucket, why);
        if (s == STATUS_OK)
            s = bucket_write(&bucket, p->random, out->writer, why);
        bucket_clear(&bucket);
    }
    return s;
}

Status data_shuffle(const DataToolOptions *o, const atomic_bool *stop, DataToolCounts *counts,
                    Message *why)
{
    Random random;
    random_seed(&random, o->seed);
    Parts p = {.random = &random};
    Part *out;
    Status s = open_output(&out, o->output, why);
    if (s == STATUS_OK)
        s = deal_to_buckets(o, out->temp, stop, &p, counts, why);
    if (s == STATUS_OK)
        s = shuffle_buckets(&p, stop, out, why);
    s = close_output(out, s, why);
    for (int i = 0; p.at && i < p.count; i++)
        unlink(p.at[i].path);
    free(p.at);
    return s;
}
