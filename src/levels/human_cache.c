/* The cache file: what the searches said of each sample. Little-endian; a checksum of the games it
 * belongs to in front, one of everything before it at the end. */
#include "levels/human_games.h"

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "chess/movegen.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 20, SAMPLE_BYTES = 8, VALUE_BYTES = 2 + 2 * HUMAN_DEPTHS, TAIL_BYTES = 8 };
static const char MAGIC[8] = "CASTLV01";

static uint64_t games_checksum(const HumanGames *g)
{
    uint64_t sum = g->count;
    for (size_t i = 0; i < g->count; i++)
        sum = sum * 31 +
              checksum64(g->games[i].moves, (size_t)g->games[i].count * sizeof *g->games[i].moves);
    return sum;
}

/* -- Writing -- */

static uint8_t *put_sample(uint8_t *at, const HumanSample *s)
{
    bytes_put32(at, s->game);
    bytes_put16(at + 4, s->ply);
    bytes_put16(at + 6, s->count);
    at += SAMPLE_BYTES;
    for (int i = 0; i < s->count; i++, at += VALUE_BYTES) {
        bytes_put16(at, s->values[i].move);
        for (int d = 0; d < HUMAN_DEPTHS; d++)
            bytes_put16(at + 2 + 2 * d, (uint16_t)(int16_t)s->values[i].at[d]);
    }
    return at;
}

Status human_cache_write(const HumanGames *g, const char *path, Message *why)
{
    size_t size = HEAD_BYTES + TAIL_BYTES;
    for (size_t i = 0; i < g->sample_count; i++)
        size += SAMPLE_BYTES + (size_t)g->samples[i].count * VALUE_BYTES;
    uint8_t *bytes = malloc(size);
    if (!bytes)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the cache");
    memcpy(bytes, MAGIC, sizeof MAGIC);
    bytes_put64(bytes + 8, games_checksum(g));
    bytes_put32(bytes + 16, (uint32_t)g->sample_count);
    uint8_t *at = bytes + HEAD_BYTES;
    for (size_t i = 0; i < g->sample_count; i++)
        at = put_sample(at, &g->samples[i]);
    bytes_put64(at, checksum64(bytes, size - TAIL_BYTES));
    Status s = file_write_atomic(path, bytes, size, why);
    free(bytes);
    return s;
}

/* -- Reading -- */

typedef struct CacheReader {
    HumanGames *games;
    const uint8_t *at, *end;
    HumanWalk walk;
} CacheReader;

/* Only what the move generator lists in the same order is believed. */
static bool read_values(CacheReader *r, HumanValue *out, int count)
{
    Move moves[MAX_MOVES];
    if (movegen(&r->walk.p, GEN_ALL, moves) != count)
        return false;
    for (int i = 0; i < count; i++, r->at += VALUE_BYTES) {
        out[i].move = bytes_get16(r->at);
        if (out[i].move != moves[i])
            return false;
        for (int d = 0; d < HUMAN_DEPTHS; d++)
            out[i].at[d] = (int16_t)bytes_get16(r->at + 2 + 2 * d);
    }
    return true;
}

static bool read_sample(CacheReader *r, HumanSample *out)
{
    if (r->end - r->at < SAMPLE_BYTES)
        return false;
    out->game = bytes_get32(r->at);
    out->ply = bytes_get16(r->at + 4);
    out->count = bytes_get16(r->at + 6);
    r->at += SAMPLE_BYTES;
    if (out->count < 2 || out->count > MAX_MOVES || r->end - r->at < out->count * VALUE_BYTES ||
        !human_walk_to(&r->walk, r->games, out->game, out->ply))
        return false;
    out->values = malloc(out->count * sizeof *out->values);
    if (out->values && read_values(r, out->values, out->count))
        return true;
    free(out->values);
    return false;
}

static bool is_whole(const uint8_t *bytes, size_t len)
{
    return len >= HEAD_BYTES + TAIL_BYTES && memcmp(bytes, MAGIC, sizeof MAGIC) == 0 &&
           bytes_get32(bytes + 16) <= (len - HEAD_BYTES - TAIL_BYTES) / SAMPLE_BYTES &&
           bytes_get64(bytes + len - TAIL_BYTES) == checksum64(bytes, len - TAIL_BYTES);
}

static Status read_samples(HumanGames *g, const FileMap *map, const char *path, Message *why)
{
    if (!is_whole(map->at, map->len))
        return status_fail(why, STATUS_INVALID, "'%s' is not a complete cache file", path);
    if (bytes_get64(map->at + 8) != games_checksum(g))
        return status_fail(why, STATUS_INVALID, "'%s' was made from different games", path);
    size_t count = bytes_get32(map->at + 16);
    CacheReader r = {
        .games = g, .at = map->at + HEAD_BYTES, .end = map->at + map->len - TAIL_BYTES};
    g->samples = calloc(count + 1, sizeof *g->samples);
    if (!g->samples)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the cache");
    g->sample_room = count + 1;
    for (size_t i = 0; i < count; i++, g->sample_count++)
        if (!read_sample(&r, &g->samples[i]))
            return status_fail(why, STATUS_INVALID, "'%s': sample %zu does not fit the games", path,
                               i + 1);
    return STATUS_OK;
}

Status human_cache_read(HumanGames *g, const char *path, Message *why)
{
    FileMap map;
    Status s = file_map(&map, path, why);
    if (s != STATUS_OK)
        return s;
    s = read_samples(g, &map, path, why);
    file_unmap(&map);
    return s;
}
