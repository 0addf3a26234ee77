#include "base/file.h"
#include "chess/fen.h"
#include "train/data/data_int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct DataWriter {
    int fd, tail_fd;
    off_t end, tail_end; /* behind the last whole block and the last whole game */
    char *path;
    Text plain; /* games not yet in a block */
};

static Status io_fail(const DataWriter *w, Message *why)
{
    return status_fail(why, STATUS_IO, "%s: %s", w->path, strerror(errno));
}

static Status write_whole(const DataWriter *w, int fd, const void *bytes, size_t len, Message *why)
{
    return file_write_all(fd, bytes, len) ? STATUS_OK : io_fail(w, why);
}

static bool go_to_end(const DataWriter *w)
{
    return ftruncate(w->fd, w->end) == 0 && lseek(w->fd, w->end, SEEK_SET) == w->end;
}

/* To where the last whole block ends: what a kill cut short lies behind it. Blocks behind a damaged
 * one are whole as well. */
static Status continue_file(DataWriter *w, Message *why)
{
    FileMap map;
    Status s = file_map(&map, w->path, why);
    if (s != STATUS_OK)
        return s;
    s = data_check_header(map.at, map.len, w->path, why);
    size_t at = DATA_HEADER_SIZE, end = at;
    for (BlockHeader h; s == STATUS_OK && block_find(map.at, map.len, &at, &h); end = at)
        at += BLOCK_HEADER_SIZE + h.stored;
    file_unmap(&map);
    w->end = (off_t)end;
    return s != STATUS_OK || go_to_end(w) ? s : io_fail(w, why);
}

static Status begin_file(DataWriter *w, Message *why)
{
    uint8_t head[DATA_HEADER_SIZE];
    memcpy(head, DATA_MAGIC, 8);
    bytes_put32(head + 8, DATA_VERSION);
    w->end = DATA_HEADER_SIZE;
    if (ftruncate(w->fd, 0) != 0)
        return io_fail(w, why);
    return write_whole(w, w->fd, head, sizeof head, why);
}

Status data_check_header(const uint8_t *head, size_t len, const char *path, Message *why)
{
    if (len < DATA_HEADER_SIZE || memcmp(head, DATA_MAGIC, 8) != 0 ||
        bytes_get32(head + 8) != DATA_VERSION)
        return status_fail(why, STATUS_INVALID, "%s: not a file of games, or of another version",
                           path);
    return STATUS_OK;
}

/* -- The tail -- */

static Status tail_begin(DataWriter *w, Message *why)
{
    uint8_t head[TAIL_HEADER_SIZE];
    bytes_put64(head, (uint64_t)w->end);
    w->tail_end = TAIL_HEADER_SIZE;
    if (ftruncate(w->tail_fd, 0) != 0 || lseek(w->tail_fd, 0, SEEK_SET) != 0)
        return io_fail(w, why);
    return write_whole(w, w->tail_fd, head, sizeof head, why);
}

static Status tail_add(DataWriter *w, const char *game, size_t len, Message *why)
{
    uint8_t head[TAIL_GAME_HEADER_SIZE];
    bytes_put32(head, (uint32_t)len);
    bytes_put64(head + 4, checksum64(game, len));
    Status status = write_whole(w, w->tail_fd, head, sizeof head, why);
    if (status == STATUS_OK)
        status = write_whole(w, w->tail_fd, game, len, why);
    if (status == STATUS_OK)
        w->tail_end += (off_t)(sizeof head + len);
    else if (ftruncate(w->tail_fd, w->tail_end) == 0) /* else the reader of the tail stops there */
        lseek(w->tail_fd, w->tail_end, SEEK_SET);
    return status;
}

static Status tail_open(DataWriter *w, Message *why)
{
    char name[PATH_MAX];
    Status s = data_path(name, why, "%s.tail", w->path);
    if (s != STATUS_OK)
        return s;
    tail_read(w->path, (uint64_t)w->end, &w->plain);
    w->tail_fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (w->tail_fd < 0)
        return io_fail(w, why);
    return w->plain.len ? data_writer_flush(w, why) : tail_begin(w, why);
}

static void writer_free(DataWriter *w)
{
    if (w->fd >= 0)
        close(w->fd);
    if (w->tail_fd >= 0)
        close(w->tail_fd);
    text_free(&w->plain);
    free(w->path);
    free(w);
}

/* The process that holds a lock on the file, from the kernel's list of all locks; 0
 * when not known. */
static long lock_holder(int fd)
{
    struct stat info;
    FILE *locks = fopen("/proc/locks", "r");
    long holder = 0;
    char line[256];
    if (locks && fstat(fd, &info) == 0) {
        while (!holder && fgets(line, sizeof line, locks)) {
            long pid;
            unsigned long long inode;
            if (sscanf(line, "%*d: FLOCK ADVISORY WRITE %ld %*x:%*x:%llu", &pid, &inode) == 2 &&
                inode == (unsigned long long)info.st_ino)
                holder = pid;
        }
    }
    if (locks)
        fclose(locks);
    return holder;
}

static Status locked(int fd, const char *path, Message *why)
{
    long holder = lock_holder(fd);
    if (holder > 0)
        return status_fail(why, STATUS_REFUSED, "%s is locked by process %ld, which writes to it",
                           path, holder);
    return status_fail(why, STATUS_REFUSED, "%s is locked by another process", path);
}

static Status lock_file(int fd, const char *path, Message *why)
{
    /* A process that was just killed may hold its locks for a moment. */
    enum { WAIT_MS = 1000 };
    if (file_lock(fd, WAIT_MS))
        return STATUS_OK;
    if (errno != EWOULDBLOCK && errno != EINTR)
        return status_fail(why, STATUS_IO, "%s: cannot lock: %s", path, strerror(errno));
    return locked(fd, path, why);
}

/* Locked before anything is read: a tail that another writer still fills is none of ours. */
static Status open_files(DataWriter *w, Message *why)
{
    struct stat info;
    w->fd = open(w->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (w->fd < 0)
        return io_fail(w, why);
    Status status = lock_file(w->fd, w->path, why);
    if (status != STATUS_OK)
        return status;
    if (fstat(w->fd, &info) != 0)
        return io_fail(w, why);
    /* A header cut short is a file in which nothing was ever written. */
    status = info.st_size < DATA_HEADER_SIZE ? begin_file(w, why) : continue_file(w, why);
    return status == STATUS_OK ? tail_open(w, why) : status;
}

Status data_writer_open(DataWriter **out, const char *path, Message *why)
{
    DataWriter *w = calloc(1, sizeof *w);
    if (!w || !(w->path = strdup(path))) {
        free(w);
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    }
    text_init(&w->plain);
    w->fd = w->tail_fd = -1;
    Status status = open_files(w, why);
    return GIVE_OR_CLOSE(status, out, w, writer_free);
}

static void add16(Text *t, unsigned v)
{
    uint8_t b[2];
    bytes_put16(b, (uint16_t)v);
    text_add(t, (const char *)b, 2);
}

static void add_start(Text *t, const Position *p)
{
    char fen[FEN_SIZE];
    fen_write(p, p->chess960 ? FEN_SHREDDER : FEN_X, fen);
    if (strcmp(fen, FEN_START) == 0) {
        text_add_char(t, START_USUAL);
        return;
    }
    text_add_char(t, p->chess960 ? START_FEN_960 : START_FEN);
    text_add_char(t, (char)strlen(fen));
    text_add_str(t, fen);
}

void game_encode(const GameRecord *game, Text *t)
{
    add_start(t, &game->start);
    text_add_char(t, (char)result_half_points(game->result, WHITE));
    add16(t, (unsigned)game->count);
    for (int i = 0; i < game->count; i++)
        add16(t, game->plies[i].move);
    for (int i = 0; i < game->count; i++)
        add16(t, (uint16_t)game->plies[i].score);
}

Status data_writer_add(DataWriter *w, const GameRecord *game, Message *why)
{
    Text *t = &w->plain;
    size_t before = t->len;
    game_encode(game, t);
    if (t->failed)
        return status_fail(why, STATUS_MEMORY, "not enough memory for games");
    Status status = tail_add(w, t->at + before, t->len - before, why);
    return status == STATUS_OK && t->len >= BLOCK_TARGET ? data_writer_flush(w, why) : status;
}

static Status write_block(const DataWriter *w, const BlockHeader *h, const Text *packed,
                          Message *why)
{
    uint8_t head[BLOCK_HEADER_SIZE];
    block_header_write(head, h);
    Status status = write_whole(w, w->fd, head, sizeof head, why);
    if (status == STATUS_OK)
        status = write_whole(w, w->fd, packed->at, packed->len, why);
    return status == STATUS_OK && fdatasync(w->fd) != 0 ? io_fail(w, why) : status;
}

Status data_writer_flush(DataWriter *w, Message *why)
{
    if (!w->plain.len)
        return STATUS_OK;
    BlockHeader h;
    Text packed = text_new();
    Status status = block_pack((const uint8_t *)w->plain.at, w->plain.len, &packed, &h)
                        ? write_block(w, &h, &packed, why)
                        : status_fail(why, STATUS_MEMORY, "not enough memory to pack a block");
    text_free(&packed);
    if (status != STATUS_OK) {
        go_to_end(w); /* if that fails too, the next writer cuts it off */
        return status;
    }
    w->end += BLOCK_HEADER_SIZE + (off_t)h.stored;
    text_clear(&w->plain);
    return tail_begin(w, why);
}

uint64_t data_writer_size(const DataWriter *w)
{
    return (uint64_t)w->end;
}

Status data_writer_close(DataWriter *w, Message *why)
{
    Status status = data_writer_flush(w, why);
    if (status == STATUS_OK) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s.tail", w->path);
        unlink(name); /* empty now */
    }
    writer_free(w);
    return status;
}
