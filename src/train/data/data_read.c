#include "base/file.h"
#include "chess/fen.h"
#include "train/data/data_int.h"

#include <stdlib.h>
#include <string.h>

struct DataReader {
    FileMap map;
    char *path;
    size_t at; /* of the next block */
    uint8_t *block;
    size_t block_len, block_at;
    uint64_t damaged; /* blocks skipped */
    bool tail_read;
};

Status data_reader_open(DataReader **out, const char *path, Message *why)
{
    DataReader *r = calloc(1, sizeof *r);
    if (!r || !(r->path = strdup(path))) {
        free(r);
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    }
    Status status = file_map(&r->map, path, why);
    if (status == STATUS_OK &&
        (r->map.len < DATA_HEADER_SIZE || memcmp(r->map.at, DATA_MAGIC, 8) != 0 ||
         bytes_get32(r->map.at + 8) != DATA_VERSION))
        status = status_fail(why, STATUS_INVALID, "%s: not a file of games, or of another version",
                             path);
    if (status != STATUS_OK) {
        data_reader_close(r);
        return status;
    }
    r->at = DATA_HEADER_SIZE;
    *out = r;
    return STATUS_OK;
}

void data_reader_close(DataReader *r)
{
    if (!r)
        return;
    file_unmap(&r->map);
    free(r->block);
    free(r->path);
    free(r);
}

uint64_t data_reader_damaged(const DataReader *r)
{
    return r->damaged;
}

/* To the next sound block behind one that is not. False when there is none; a block that merely
 * lacks its end was cut short by a kill, which is no damage. */
static bool skip_damage(DataReader *r, bool cut_short)
{
    size_t next = r->at + 1;
    BlockHeader h;
    bool found = block_find(r->map.at, r->map.len, &next, &h);
    if (found || !cut_short) {
        r->damaged++;
        r->at = found ? next : r->map.len;
    }
    return found;
}

/* Games that a writer, killed or still at work, has not yet put into a block. */
static Status read_tail(DataReader *r, Message *why)
{
    if (r->tail_read)
        return STATUS_END;
    r->tail_read = true;
    Text games = text_new();
    tail_read(r->path, r->at, &games);
    Status s = games.len ? STATUS_OK : STATUS_END;
    if (games.len) {
        free(r->block);
        r->block = malloc(games.len);
        if (r->block)
            memcpy(r->block, games.at, r->block_len = games.len);
        else
            s = status_fail(why, STATUS_MEMORY, "%s: not enough memory for its tail", r->path);
    }
    text_free(&games);
    return s;
}

static Status next_block(DataReader *r, Message *why)
{
    for (;;) {
        size_t left = r->map.len - r->at;
        const uint8_t *at = r->map.at + r->at;
        BlockHeader h;
        r->block_len = r->block_at = 0;
        if (left < BLOCK_HEADER_SIZE)
            return read_tail(r, why); /* the end, or a header that a kill cut short */
        bool is_header = block_header_read(at, &h);
        if (is_header && left - BLOCK_HEADER_SIZE >= h.stored) {
            free(r->block);
            r->block = malloc(h.unpacked);
            if (!r->block)
                return status_fail(why, STATUS_MEMORY, "%s: not enough memory for a block",
                                   r->path);
            if (block_unpack(&h, at + BLOCK_HEADER_SIZE, r->block)) {
                r->block_len = h.unpacked;
                r->at += BLOCK_HEADER_SIZE + h.stored;
                return STATUS_OK;
            }
            is_header = false;
        }
        if (!skip_damage(r, is_header))
            return read_tail(r, why);
    }
}

/* `len` bytes of the block, or NULL when it has not so many left. */
static const uint8_t *take(DataReader *r, size_t len)
{
    if (r->block_len - r->block_at < len)
        return NULL;
    const uint8_t *at = r->block + r->block_at;
    r->block_at += len;
    return at;
}

static bool read_start(DataReader *r, Position *p)
{
    const uint8_t *kind = take(r, 1);
    if (!kind || *kind > START_FEN_960)
        return false;
    if (*kind == START_USUAL) {
        pos_set_start(p);
        return true;
    }
    const uint8_t *len = take(r, 1);
    const uint8_t *fen = len ? take(r, *len) : NULL;
    return fen &&
           fen_parse(p, (Span){(const char *)fen, *len}, *kind == START_FEN_960, NULL) == STATUS_OK;
}

static bool replays(const GameRecord *g)
{
    Position p = g->start;
    for (int i = 0; i < g->count; i++) {
        Undo undo;
        if (!pos_is_legal(&p, g->plies[i].move))
            return false;
        pos_make(&p, g->plies[i].move, &undo);
    }
    return true;
}

static bool read_game(DataReader *r, GameRecord *g)
{
    if (!read_start(r, &g->start))
        return false;
    const uint8_t *head = take(r, 3);
    if (!head || head[0] > 2)
        return false;
    g->result = result_of_half_points(head[0]);
    g->count = bytes_get16(head + 1);
    if (g->count > DATA_MAX_PLIES)
        return false;
    const uint8_t *moves = take(r, 2 * (size_t)g->count), *scores = take(r, 2 * (size_t)g->count);
    if (!moves || !scores)
        return false;
    for (int i = 0; i < g->count; i++) {
        g->plies[i].move = bytes_get16(moves + 2 * i);
        g->plies[i].score = (int16_t)bytes_get16(scores + 2 * i);
    }
    return replays(g);
}

Status data_reader_next(DataReader *r, GameRecord *game, Message *why)
{
    for (;;) {
        if (r->block_at >= r->block_len) {
            Status status = next_block(r, why);
            if (status != STATUS_OK)
                return status;
        }
        if (read_game(r, game))
            return STATUS_OK;
        r->damaged++;
        r->block_at = r->block_len; /* where the next game begins is not known */
    }
}

Status data_read_file(const char *path, GameRecord *game, DataEach *each, void *user,
                      const atomic_bool *stop, DataFileCounts *counts, Message *why)
{
    DataReader *r;
    Status s = data_reader_open(&r, path, why);
    if (s != STATUS_OK)
        return s;
    while (s == STATUS_OK) {
        s = data_reader_next(r, game, why);
        if (s == STATUS_OK)
            s = each(user, game, why);
        if (s == STATUS_OK && atomic_load(stop))
            s = status_fail(why, STATUS_STOPPED, "stopped");
    }
    if (counts)
        *counts = (DataFileCounts){1, r->damaged, r->map.len, r->map.len - r->at};
    data_reader_close(r);
    return s == STATUS_END ? STATUS_OK : s;
}
