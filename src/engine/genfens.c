#include "engine/genfens.h"

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/random_opening.h"
#include "search/search.h"
#include "search/wdl.h"

#include <stdlib.h>

/* Random moves make the start position varied; book positions need fewer. A short search rejects
 * what is decided already. */
enum {
    PLIES_FROM_START = 8, /* or one more, so that both sides move first */
    PLIES_FROM_BOOK = 2,
    JUDGE_NODES = 2000,
    JUDGE_HASH_MB = 1,
    JUDGE_LIMIT_CP = 300,
    MAX_BOOK_BYTES = 1 << 30,
    MAX_TRIES = 1000
};

/* The lines of the book. */
typedef struct Book {
    char *bytes;
    Span *lines;
    size_t count;
} Book;

static void book_close(Book *b)
{
    free(b->bytes);
    free(b->lines);
    *b = (Book){0};
}

static bool is_book_line(Span line)
{
    line = span_trim(line);
    return line.len && line.at[0] != '#';
}

static bool is_position(Span line)
{
    Position p;
    Span rest;
    return fen_parse_epd(&p, span_trim(line), false, &rest, NULL) == STATUS_OK;
}

static Status book_index(Book *b, size_t len, Message *why)
{
    Span rest = {b->bytes, len}, line;
    size_t count = 0;
    while (span_next_line(&rest, &line)) {
        if (is_book_line(line) && !count++ && !is_position(line)) {
            char shown[FEN_SIZE];
            span_show(span_trim(line), shown, sizeof shown);
            return status_fail(why, STATUS_INVALID,
                               "expected a book of FEN or EPD lines; the first line is '%s'",
                               shown);
        }
    }
    if (!count)
        return status_fail(why, STATUS_INVALID, "the book has no positions");
    b->lines = malloc(count * sizeof *b->lines);
    if (!b->lines)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a book of %zu lines", count);
    rest = (Span){b->bytes, len};
    while (span_next_line(&rest, &line))
        if (is_book_line(line))
            b->lines[b->count++] = span_trim(line);
    return STATUS_OK;
}

static Status book_open(Book *b, const char *path, Message *why)
{
    *b = (Book){0};
    if (!path || !path[0])
        return STATUS_OK;
    size_t len;
    Status s = file_read(&b->bytes, &len, path, MAX_BOOK_BYTES, why);
    if (s == STATUS_OK)
        s = book_index(b, len, why);
    if (s != STATUS_OK)
        book_close(b);
    return s;
}

/* What the openings are made with. */
typedef struct Genfens {
    SearchPool *pool;
    Book book;
} Genfens;

static bool book_position(void *user, Random *r, Position *p)
{
    const Book *b = &((const Genfens *)user)->book;
    Span rest;
    return fen_parse_epd(p, b->lines[random_next(r) % b->count], false, &rest, NULL) == STATUS_OK;
}

static bool is_balanced(void *user, const Position *p)
{
    SearchPool *pool = ((const Genfens *)user)->pool;
    SearchLimits limits = {.nodes = JUDGE_NODES};
    SearchOptions options = {.multi_pv = 1};
    if (draw_game_end(p) != GAME_GOES_ON)
        return false;
    search_clear(pool);
    SearchResult r = search_run(pool, p, &limits, &options, &(SearchEvents){0});
    int cp = score_to_cp(r.score, p);
    return !score_is_decisive(r.score) && cp <= JUDGE_LIMIT_CP && cp >= -JUDGE_LIMIT_CP;
}

static Status make_all(const GenfensJob *job, Genfens *g, const atomic_bool *stop,
                       void (*each)(void *user, const char *fen), void *user, Message *why)
{
    const RandomOpeningRules rules = {.plies = g->book.count ? PLIES_FROM_BOOK : PLIES_FROM_START,
                                      .vary_side = true,
                                      .max_tries = MAX_TRIES,
                                      .start = g->book.count ? book_position : NULL,
                                      .accept = is_balanced,
                                      .user = g};
    Random r;
    RandomOpening opening;
    char fen[FEN_SIZE];
    random_seed(&r, job->seed);
    for (int64_t i = 0; i < job->count; i++) {
        if (stop && atomic_load(stop))
            return status_fail(why, STATUS_STOPPED, "interrupted");
        if (!random_opening_make(&rules, &r, &opening))
            return status_fail(why, STATUS_INVALID, "no balanced position in %d tries", MAX_TRIES);
        fen_write(&opening.end, FEN_X, fen);
        each(user, fen);
    }
    return STATUS_OK;
}

Status genfens_run(const GenfensJob *job, const atomic_bool *stop,
                   void (*each)(void *user, const char *fen), void *user, Message *why)
{
    Genfens g = {0};
    Status s = book_open(&g.book, job->book, why);
    if (s != STATUS_OK)
        return s;
    const Evaluator *evaluator = NULL;
    s = evaluator_default(&evaluator, why);
    if (s == STATUS_OK)
        s = search_create(&g.pool, evaluator, JUDGE_HASH_MB, why);
    if (s == STATUS_OK) {
        s = make_all(job, &g, stop, each, user, why);
        search_destroy(g.pool);
    }
    evaluator_close(evaluator);
    book_close(&g.book);
    return s;
}
