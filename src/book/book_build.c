#include "book/book_build.h"

#include "base/file.h"
#include "book/book_int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Counts of one move in one position. */
typedef struct Tally {
    Key key;
    uint64_t sum; /* sum of outcomes */
    uint32_t games;
    uint16_t bits;
} Tally;

/* A sorted run in the temporary file, during a merge. */
typedef struct SortedRun {
    off_t at, end; /* bytes not read yet */
    Tally *buffer; /* `room` of them */
    size_t used, next;
} SortedRun;

enum { MAX_RUNS = 128, MOVES_OF_A_KEY = MAX_MOVES, WRITE_ENTRIES = 4096 };

/* A buffered file; `size` bytes are written, `used` are in the buffer. */
typedef struct Writer {
    int fd;
    off_t size;
    size_t used;
    uint8_t buffer[WRITE_ENTRIES * sizeof(Tally)];
} Writer;

struct BookBuild {
    char path[PATH_MAX];
    uint32_t min_games;
    Tally *tallies; /* `room` of them, `used` in use */
    size_t room, used;
    int fd; /* the file of runs */
    off_t end_of_run[MAX_RUNS];
    int runs;
    BookBuildCounts counts;
    Writer writer;
};

/* Called with merged tallies in order. */
typedef struct Sink {
    Status (*take)(void *user, const Tally *t, Message *why);
    void *user;
} Sink;

static Status io_failed(const BookBuild *b, Message *why)
{
    return status_fail(why, STATUS_IO, "%s: %s", b->path, strerror(errno));
}

/* -- Files -- */

static bool read_fully(int fd, void *into, size_t len, off_t at)
{
    size_t done = 0;
    while (done < len) {
        ssize_t got = pread(fd, (char *)into + done, len - done, at + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO; /* the temporary file was truncated by someone else */
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static void writer_begin(Writer *w, int fd, off_t size)
{
    w->fd = fd;
    w->size = size;
    w->used = 0;
}

static bool writer_flush(Writer *w)
{
    bool fine = file_write_all(w->fd, w->buffer, w->used);
    w->size += (off_t)w->used;
    w->used = 0;
    return fine;
}

static bool writer_put(Writer *w, const void *bytes, size_t len)
{
    if (w->used + len > sizeof w->buffer && !writer_flush(w))
        return false;
    memcpy(w->buffer + w->used, bytes, len);
    w->used += len;
    return true;
}

/* A temporary file in the directory of the book; its name is written to `name`. */
static Status open_neighbour(BookBuild *b, char name[PATH_MAX], int *fd, Message *why)
{
    int len = snprintf(name, PATH_MAX, "%s.XXXXXX", b->path);
    if (len < 0 || len >= PATH_MAX)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", b->path);
    *fd = mkostemp(name, O_CLOEXEC);
    return *fd < 0 ? io_failed(b, why) : STATUS_OK;
}

/* The same without a name: it cannot be left behind. */
static Status open_nameless(BookBuild *b, int *fd, Message *why)
{
    char name[PATH_MAX];
    Status s = open_neighbour(b, name, fd, why);
    if (s == STATUS_OK)
        unlink(name);
    return s;
}

/* -- Tallies -- */

static int compare(const Tally *a, const Tally *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->bits > b->bits) - (a->bits < b->bits);
}

static int compare_tallies(const void *a, const void *b)
{
    return compare(a, b);
}

static void unite(Tally *into, const Tally *t)
{
    into->sum += t->sum;
    into->games = into->games > UINT32_MAX - t->games ? UINT32_MAX : into->games + t->games;
}

/* Sorts, and merges tallies of the same move. */
static void compact(BookBuild *b)
{
    if (b->used == 0)
        return;
    qsort(b->tallies, b->used, sizeof *b->tallies, compare_tallies);
    size_t last = 0;
    for (size_t i = 1; i < b->used; i++) {
        if (compare(&b->tallies[last], &b->tallies[i]) == 0)
            unite(&b->tallies[last], &b->tallies[i]);
        else
            b->tallies[++last] = b->tallies[i];
    }
    b->used = last + 1;
}

/* -- Merging -- */

static bool refill(const BookBuild *b, SortedRun *run, size_t room)
{
    size_t left = (size_t)(run->end - run->at) / sizeof(Tally);
    run->next = 0;
    run->used = left < room ? left : room;
    off_t at = run->at;
    run->at += (off_t)(run->used * sizeof(Tally));
    return read_fully(b->fd, run->buffer, run->used * sizeof(Tally), at);
}

static const Tally *head(const SortedRun *run)
{
    return run->next < run->used ? &run->buffer[run->next] : NULL;
}

static SortedRun *smallest(SortedRun *runs, int count)
{
    SortedRun *best = NULL;
    const Tally *least = NULL;
    for (int i = 0; i < count; i++) {
        const Tally *t = head(&runs[i]);
        if (t && (!least || compare(t, least) < 0)) {
            least = t;
            best = &runs[i];
        }
    }
    return best;
}

/* The memory of the tallies, which are all in the file now, becomes the buffers of the runs. */
static bool open_runs(BookBuild *b, SortedRun *runs, size_t room)
{
    for (int i = 0; i < b->runs; i++) {
        runs[i] = (SortedRun){.at = i ? b->end_of_run[i - 1] : 0,
                              .end = b->end_of_run[i],
                              .buffer = b->tallies + (size_t)i * room};
        if (!refill(b, &runs[i], room))
            return false;
    }
    return true;
}

static Status merge_runs(BookBuild *b, const Sink *sink, Message *why)
{
    SortedRun runs[MAX_RUNS];
    size_t room = b->room / (size_t)b->runs;
    if (!open_runs(b, runs, room))
        return io_failed(b, why);
    Tally now = {0};
    Status s = STATUS_OK;
    for (SortedRun *run; s == STATUS_OK && (run = smallest(runs, b->runs));) {
        const Tally *t = &run->buffer[run->next];
        if (now.games && compare(&now, t) == 0) {
            unite(&now, t);
        } else {
            s = now.games ? sink->take(sink->user, &now, why) : STATUS_OK;
            now = *t;
        }
        if (++run->next == run->used && !refill(b, run, room))
            return io_failed(b, why);
    }
    return s == STATUS_OK && now.games ? sink->take(sink->user, &now, why) : s;
}

static Status merge_memory(BookBuild *b, const Sink *sink, Message *why)
{
    Status s = STATUS_OK;
    for (size_t i = 0; i < b->used && s == STATUS_OK; i++)
        s = sink->take(sink->user, &b->tallies[i], why);
    return s;
}

static Status take_into_run(void *user, const Tally *t, Message *why)
{
    BookBuild *b = user;
    return writer_put(&b->writer, t, sizeof *t) ? STATUS_OK : io_failed(b, why);
}

/* Writes the tallies in memory to the file as another run. */
static Status put_aside(BookBuild *b, Message *why)
{
    writer_begin(&b->writer, b->fd, b->runs ? b->end_of_run[b->runs - 1] : 0);
    Status s = merge_memory(b, &(Sink){take_into_run, b}, why);
    if (s == STATUS_OK && !writer_flush(&b->writer))
        s = io_failed(b, why);
    if (s != STATUS_OK)
        return s;
    b->end_of_run[b->runs++] = b->writer.size;
    b->counts.runs++;
    b->used = 0;
    return STATUS_OK;
}

/* Merges all runs into one, in a new file: with more runs each buffer would be too small. */
static Status unite_runs(BookBuild *b, Message *why)
{
    int fd = -1;
    Status s = open_nameless(b, &fd, why);
    if (s != STATUS_OK)
        return s;
    writer_begin(&b->writer, fd, 0);
    s = merge_runs(b, &(Sink){take_into_run, b}, why);
    if (s == STATUS_OK && !writer_flush(&b->writer))
        s = io_failed(b, why);
    if (s != STATUS_OK) {
        close(fd);
        return s;
    }
    close(b->fd);
    b->fd = fd;
    b->runs = 1;
    b->end_of_run[0] = b->writer.size;
    return STATUS_OK;
}

/* Games repeat each other: merging equal tallies often frees enough memory. */
static Status make_room(BookBuild *b, Message *why)
{
    compact(b);
    if (b->used <= b->room / 2)
        return STATUS_OK;
    Status s = put_aside(b, why);
    return s == STATUS_OK && b->runs == MAX_RUNS ? unite_runs(b, why) : s;
}

/* -- The book -- */

/* The moves of one position, until the next key. */
typedef struct Group {
    BookBuild *build;
    Tally moves[MOVES_OF_A_KEY];
    int count;
} Group;

static int compare_weights(const void *a, const void *b)
{
    const Tally *one = a, *two = b;
    if (one->sum != two->sum)
        return one->sum > two->sum ? -1 : 1;
    return (one->bits > two->bits) - (one->bits < two->bits);
}

/* A move with points keeps a weight of at least 1. */
static uint16_t weight_of(uint64_t sum, uint64_t most)
{
    if (most <= BOOK_MAX_WEIGHT)
        return (uint16_t)sum;
    uint64_t scaled = (uint64_t)((double)sum * BOOK_MAX_WEIGHT / (double)most);
    return (uint16_t)(scaled ? scaled : 1);
}

static Status write_group(Group *g, Message *why)
{
    BookBuild *b = g->build;
    qsort(g->moves, (size_t)g->count, sizeof *g->moves, compare_weights);
    for (int i = 0; i < g->count; i++) {
        uint8_t entry[BOOK_ENTRY_SIZE] = {0};
        book_put(entry, 8, g->moves[i].key);
        book_put(entry + BOOK_AT_MOVE, 2, g->moves[i].bits);
        book_put(entry + BOOK_AT_WEIGHT, 2, weight_of(g->moves[i].sum, g->moves[0].sum));
        if (!writer_put(&b->writer, entry, sizeof entry))
            return io_failed(b, why);
        b->counts.entries++;
    }
    b->counts.positions += g->count > 0;
    g->count = 0;
    return STATUS_OK;
}

static Status take_into_book(void *user, const Tally *t, Message *why)
{
    Group *g = user;
    Status s = STATUS_OK;
    if (g->count && g->moves[0].key != t->key)
        s = write_group(g, why);
    /* No position has so many moves; only a key collision could. */
    if (t->games >= g->build->min_games && t->sum && g->count < MOVES_OF_A_KEY)
        g->moves[g->count++] = *t;
    return s;
}

static Status write_entries(BookBuild *b, int fd, Message *why)
{
    Group group = {.build = b};
    Sink sink = {take_into_book, &group};
    writer_begin(&b->writer, fd, 0);
    Status s = b->runs ? merge_runs(b, &sink, why) : merge_memory(b, &sink, why);
    if (s == STATUS_OK)
        s = write_group(&group, why);
    if (s == STATUS_OK && b->counts.entries == 0)
        return status_fail(why, STATUS_MISSING, "no move qualifies for the book");
    if (s == STATUS_OK && (!writer_flush(&b->writer) || fchmod(fd, 0644) != 0 || fsync(fd) != 0))
        s = io_failed(b, why);
    return s;
}

static Status write_book(BookBuild *b, Message *why)
{
    char name[PATH_MAX];
    int fd = -1;
    Status s = open_neighbour(b, name, &fd, why);
    if (s != STATUS_OK)
        return s;
    s = write_entries(b, fd, why);
    if (close(fd) != 0 && s == STATUS_OK)
        s = io_failed(b, why);
    if (s == STATUS_OK && rename(name, b->path) != 0)
        s = io_failed(b, why);
    if (s != STATUS_OK)
        unlink(name);
    return s;
}

/* -- Interface -- */

/* Reports now what would otherwise fail after hours of reading. */
static Status check_place(BookBuild *b, Message *why)
{
    struct stat there;
    if (stat(b->path, &there) == 0 && !S_ISREG(there.st_mode))
        return status_fail(why, STATUS_IO, "%s: not a regular file", b->path);
    return open_nameless(b, &b->fd, why);
}

Status book_build_begin(BookBuild **out, const char *path, const BookBuildOptions *options,
                        Message *why)
{
    *out = NULL;
    BookBuild *b = calloc(1, sizeof *b);
    if (!b)
        return status_fail(why, STATUS_MEMORY, "not enough memory to build a book");
    b->fd = -1;
    b->min_games = options->min_games ? options->min_games : 1;
    /* Half, because qsort may use as much again. */
    size_t memory = options->memory > BOOK_BUILD_LEAST ? options->memory : BOOK_BUILD_LEAST;
    b->room = memory / 2 / sizeof *b->tallies;
    b->tallies = malloc(b->room * sizeof *b->tallies);
    int len = snprintf(b->path, sizeof b->path, "%s", path);
    Status s = STATUS_OK;
    if (!b->tallies)
        s = status_fail(why, STATUS_MEMORY, "not enough memory for %zu bytes", memory);
    else if (len < 0 || (size_t)len >= sizeof b->path)
        s = status_fail(why, STATUS_INVALID, "%.100s...: path too long", path);
    else
        s = check_place(b, why);
    return GIVE_OR_CLOSE(s, out, b, book_build_free);
}

Status book_build_add(BookBuild *b, Key key, uint16_t bits, int outcome, Message *why)
{
    if (b->used == b->room) {
        Status s = make_room(b, why);
        if (s != STATUS_OK)
            return s;
    }
    b->tallies[b->used++] = (Tally){.key = key, .sum = (uint64_t)outcome, .games = 1, .bits = bits};
    return STATUS_OK;
}

Status book_build_finish(BookBuild *b, BookBuildCounts *counts, Message *why)
{
    compact(b);
    Status s = b->runs && b->used ? put_aside(b, why) : STATUS_OK;
    if (s == STATUS_OK)
        s = write_book(b, why);
    *counts = b->counts;
    return s;
}

void book_build_free(BookBuild *b)
{
    if (!b)
        return;
    if (b->fd >= 0)
        close(b->fd);
    free(b->tallies);
    free(b);
}
