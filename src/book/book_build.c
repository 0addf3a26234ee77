#include "book/book_build.h"

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

enum { MAX_RUNS = 128, MOVES_OF_A_KEY = MAX_MOVES };

/* Sorted tallies in a temporary file, during a merge. */
typedef struct SortedRun {
    FILE *file;
    Tally head; /* the next one */
    bool ended;
} SortedRun;

struct BookBuild {
    char path[PATH_MAX];
    uint32_t min_games;
    Tally *tallies; /* `room` of them, `used` in use */
    size_t room, used;
    SortedRun runs[MAX_RUNS];
    int run_count;
    BookBuildCounts counts;
};

/* Called with merged tallies in order; false: errno says why. */
typedef struct Sink {
    bool (*take)(void *user, const Tally *t);
    void *user;
} Sink;

static Status io_failed(const BookBuild *b, Message *why)
{
    return status_fail(why, STATUS_IO, "%s: %s", b->path, strerror(errno));
}

/* -- Files -- */

/* A temporary file in the directory of the book; its name is written to `name`. */
static Status open_neighbour(BookBuild *b, char name[PATH_MAX], FILE **file, Message *why)
{
    int len = snprintf(name, PATH_MAX, "%s.XXXXXX", b->path);
    if (len < 0 || len >= PATH_MAX)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", b->path);
    int fd = mkostemp(name, O_CLOEXEC);
    *file = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (*file)
        return STATUS_OK;
    Status s = io_failed(b, why);
    if (fd >= 0) {
        close(fd);
        unlink(name);
    }
    return s;
}

/* The same without a name: it cannot be left behind. */
static Status open_nameless(BookBuild *b, FILE **file, Message *why)
{
    char name[PATH_MAX];
    Status s = open_neighbour(b, name, file, why);
    if (s == STATUS_OK)
        unlink(name);
    return s;
}

static void close_runs(BookBuild *b)
{
    while (b->run_count > 0)
        fclose(b->runs[--b->run_count].file);
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

static bool next_tally(SortedRun *run)
{
    run->ended = fread(&run->head, sizeof run->head, 1, run->file) != 1;
    return !ferror(run->file);
}

static SortedRun *smallest(BookBuild *b)
{
    SortedRun *best = NULL;
    for (SortedRun *run = b->runs; run < b->runs + b->run_count; run++)
        if (!run->ended && (!best || compare(&run->head, &best->head) < 0))
            best = run;
    return best;
}

static bool merge_runs(BookBuild *b, const Sink *sink)
{
    bool fine = true;
    for (int i = 0; i < b->run_count && fine; i++) {
        rewind(b->runs[i].file);
        fine = next_tally(&b->runs[i]);
    }
    Tally now = {0};
    for (SortedRun *run; fine && (run = smallest(b)); fine = fine && next_tally(run)) {
        if (now.games && compare(&now, &run->head) == 0) {
            unite(&now, &run->head);
        } else {
            fine = !now.games || sink->take(sink->user, &now);
            now = run->head;
        }
    }
    return fine && (!now.games || sink->take(sink->user, &now));
}

static bool merge_memory(BookBuild *b, const Sink *sink)
{
    bool fine = true;
    for (size_t i = 0; i < b->used && fine; i++)
        fine = sink->take(sink->user, &b->tallies[i]);
    return fine;
}

static bool take_into_run(void *file, const Tally *t)
{
    return fwrite(t, sizeof *t, 1, file) == 1;
}

/* Writes a file with what `merge` gives: the tallies in memory, or those of all runs. */
static Status write_run(BookBuild *b, bool (*merge)(BookBuild *b, const Sink *sink), FILE **file,
                        Message *why)
{
    Status s = open_nameless(b, file, why);
    if (s == STATUS_OK && (!merge(b, &(Sink){take_into_run, *file}) || fflush(*file) != 0)) {
        s = io_failed(b, why);
        fclose(*file);
    }
    return s;
}

static Status put_aside(BookBuild *b, Message *why)
{
    Status s = write_run(b, merge_memory, &b->runs[b->run_count].file, why);
    if (s != STATUS_OK)
        return s;
    b->run_count++;
    b->counts.runs++;
    b->used = 0;
    return STATUS_OK;
}

/* Makes one run of all, so that there is room for others. */
static Status unite_runs(BookBuild *b, Message *why)
{
    FILE *file;
    Status s = write_run(b, merge_runs, &file, why);
    if (s != STATUS_OK)
        return s;
    close_runs(b);
    b->runs[b->run_count++].file = file;
    return STATUS_OK;
}

/* Games repeat each other: merging equal tallies often frees enough memory. */
static Status make_room(BookBuild *b, Message *why)
{
    compact(b);
    if (b->used <= b->room / 2)
        return STATUS_OK;
    Status s = put_aside(b, why);
    return s == STATUS_OK && b->run_count == MAX_RUNS ? unite_runs(b, why) : s;
}

/* -- The book -- */

/* The moves of one position, until the next key. */
typedef struct Group {
    BookBuild *build;
    FILE *file;
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

static bool write_group(Group *g)
{
    BookBuild *b = g->build;
    qsort(g->moves, (size_t)g->count, sizeof *g->moves, compare_weights);
    for (int i = 0; i < g->count; i++) {
        uint8_t entry[BOOK_ENTRY_SIZE] = {0};
        book_put(entry, 8, g->moves[i].key);
        book_put(entry + BOOK_AT_MOVE, 2, g->moves[i].bits);
        book_put(entry + BOOK_AT_WEIGHT, 2, weight_of(g->moves[i].sum, g->moves[0].sum));
        if (fwrite(entry, sizeof entry, 1, g->file) != 1)
            return false;
        b->counts.entries++;
    }
    b->counts.positions += g->count > 0;
    g->count = 0;
    return true;
}

static bool take_into_book(void *user, const Tally *t)
{
    Group *g = user;
    bool fine = g->count == 0 || g->moves[0].key == t->key || write_group(g);
    /* No position has so many moves; only a key collision could. */
    if (t->games >= g->build->min_games && t->sum && g->count < MOVES_OF_A_KEY)
        g->moves[g->count++] = *t;
    return fine;
}

static Status write_entries(BookBuild *b, FILE *file, Message *why)
{
    Group group = {.build = b, .file = file};
    Sink sink = {take_into_book, &group};
    bool fine = b->run_count ? merge_runs(b, &sink) : merge_memory(b, &sink);
    if (!fine || !write_group(&group))
        return io_failed(b, why);
    if (b->counts.entries == 0)
        return status_fail(why, STATUS_MISSING, "no move qualifies for the book");
    int fd = fileno(file);
    fine = fflush(file) == 0 && fchmod(fd, 0644) == 0 && fsync(fd) == 0;
    return fine ? STATUS_OK : io_failed(b, why);
}

static Status write_book(BookBuild *b, Message *why)
{
    char name[PATH_MAX];
    FILE *file;
    Status s = open_neighbour(b, name, &file, why);
    if (s != STATUS_OK)
        return s;
    s = write_entries(b, file, why);
    if (fclose(file) != 0 && s == STATUS_OK)
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
    FILE *file;
    Status s = open_nameless(b, &file, why);
    if (s == STATUS_OK)
        fclose(file);
    return s;
}

Status book_build_begin(BookBuild **out, const char *path, const BookBuildOptions *options,
                        Message *why)
{
    *out = NULL;
    BookBuild *b = calloc(1, sizeof *b);
    if (!b)
        return status_fail(why, STATUS_MEMORY, "not enough memory to build a book");
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
    Status s = b->run_count && b->used ? put_aside(b, why) : STATUS_OK;
    if (s == STATUS_OK)
        s = write_book(b, why);
    *counts = b->counts;
    return s;
}

void book_build_free(BookBuild *b)
{
    if (!b)
        return;
    close_runs(b);
    free(b->tallies);
    free(b);
}
