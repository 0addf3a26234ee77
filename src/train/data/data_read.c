#include "base/file.h"
#include "chess/fen.h"
#include "train/data/data_int.h"

#include <stdlib.h>
#include <string.h>

typedef struct DataReader {
    const char *path;
    FileMap map;
    size_t at; /* of the next block */
    uint8_t *block;
    Text tail;
    Span rest;        /* of the block or the tail: games not handed out yet */
    uint64_t damaged; /* blocks skipped */
    bool tail_read;
} DataReader;

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

static void take_tail_games(const uint8_t *at, size_t len, Text *games)
{
    size_t from = TAIL_HEADER_SIZE;
    while (len - from >= TAIL_GAME_HEADER_SIZE) {
        size_t game = bytes_get32(at + from);
        const char *bytes = (const char *)at + from + TAIL_GAME_HEADER_SIZE;
        if (len - from - TAIL_GAME_HEADER_SIZE < game ||
            checksum64(bytes, game) != bytes_get64(at + from + 4))
            return;
        text_add(games, bytes, game);
        from += TAIL_GAME_HEADER_SIZE + game;
    }
}

void tail_read(const char *path, uint64_t end, Text *games)
{
    enum { TAIL_MAX = 64 << 20 };
    char name[PATH_MAX], *bytes;
    size_t len;
    if (data_path(name, NULL, "%s.tail", path) != STATUS_OK ||
        file_read(&bytes, &len, name, TAIL_MAX, NULL) != STATUS_OK)
        return;
    if (len >= TAIL_HEADER_SIZE && bytes_get64((const uint8_t *)bytes) == end)
        take_tail_games((const uint8_t *)bytes, len, games);
    free(bytes);
}

/* Games that a writer, killed or still at work, has not yet put into a block. */
static Status read_tail(DataReader *r, Message *why)
{
    if (r->tail_read)
        return STATUS_END;
    r->tail_read = true;
    tail_read(r->path, r->at, &r->tail);
    if (r->tail.failed)
        return status_fail(why, STATUS_MEMORY, "%s: not enough memory for its tail", r->path);
    r->rest = (Span){r->tail.at, r->tail.len};
    return r->rest.len ? STATUS_OK : STATUS_END;
}

static Status next_block(DataReader *r, Message *why)
{
    for (;;) {
        size_t left = r->map.len - r->at;
        const uint8_t *at = r->map.at + r->at;
        BlockHeader h;
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
                r->rest = (Span){(const char *)r->block, h.unpacked};
                r->at += BLOCK_HEADER_SIZE + h.stored;
                return STATUS_OK;
            }
            is_header = false;
        }
        if (!skip_damage(r, is_header))
            return read_tail(r, why);
    }
}

/* The next `len` bytes, or NULL when there are not so many left. */
static const uint8_t *take(Span *from, size_t len)
{
    const char *at = from->at;
    if (from->len < len)
        return NULL;
    *from = (Span){at + len, from->len - len};
    return (const uint8_t *)at;
}

static bool decode_start(Span *from, Position *p)
{
    const uint8_t *kind = take(from, 1);
    if (!kind || *kind > START_FEN_960)
        return false;
    if (*kind == START_USUAL) {
        pos_set_start(p);
        return true;
    }
    const uint8_t *len = take(from, 1);
    const uint8_t *fen = len ? take(from, *len) : NULL;
    return fen &&
           fen_parse(p, (Span){(const char *)fen, *len}, *kind == START_FEN_960, NULL) == STATUS_OK;
}

bool game_decode(Span *from, GameRecord *g)
{
    const uint8_t *head = decode_start(from, &g->start) ? take(from, 3) : NULL;
    if (!head || head[0] > 2)
        return false;
    g->result = result_of_half_points(head[0]);
    g->count = bytes_get16(head + 1);
    if (g->count > DATA_MAX_PLIES)
        return false;
    const uint8_t *moves = take(from, 2 * (size_t)g->count);
    const uint8_t *scores = take(from, 2 * (size_t)g->count);
    if (!moves || !scores)
        return false;
    for (int i = 0; i < g->count; i++) {
        g->plies[i].move = bytes_get16(moves + 2 * i);
        g->plies[i].score = (int16_t)bytes_get16(scores + 2 * i);
    }
    return true;
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

/* STATUS_OK with a game, STATUS_END after the last whole block and the tail. */
static Status next_game(DataReader *r, GameRecord *game, Message *why)
{
    for (;;) {
        Status status = r->rest.len ? STATUS_OK : next_block(r, why);
        if (status != STATUS_OK)
            return status;
        if (game_decode(&r->rest, game) && replays(game))
            return STATUS_OK;
        r->damaged++;
        r->rest.len = 0; /* where the next game begins is not known */
    }
}

static Status read_games(DataReader *r, GameRecord *game, DataEach *each, void *user,
                         const atomic_bool *stop, Message *why)
{
    Status s = STATUS_OK;
    while (s == STATUS_OK) {
        s = next_game(r, game, why);
        if (s == STATUS_OK)
            s = each(user, game, why);
        if (s == STATUS_OK && stop && atomic_load(stop))
            s = status_fail(why, STATUS_STOPPED, "stopped");
    }
    return s == STATUS_END ? STATUS_OK : s;
}

Status data_read_file(const char *path, GameRecord *game, DataEach *each, void *user,
                      const atomic_bool *stop, DataFileCounts *counts, Message *why)
{
    DataReader r = {.path = path, .at = DATA_HEADER_SIZE, .tail = text_new()};
    Status s = file_map(&r.map, path, why);
    if (s == STATUS_OK)
        s = data_check_header(r.map.at, r.map.len, path, why);
    if (s == STATUS_OK) {
        s = read_games(&r, game, each, user, stop, why);
        if (counts)
            *counts = (DataFileCounts){r.damaged, r.map.len, r.map.len - r.at};
    }
    file_unmap(&r.map);
    text_free(&r.tail);
    free(r.block);
    return s;
}
